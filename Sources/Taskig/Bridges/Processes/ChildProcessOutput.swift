#if os(macOS) || os(Linux)
  import Foundation

  /// What a ``ChildProcess`` left behind.
  public struct ChildProcessOutput: Sendable {
    /// How it ended.
    public let ending: ChildProcessEnding
    /// What it wrote to its output, if that was captured.
    public let output: Data
    /// What it wrote to its error output, if that was captured.
    public let errorOutput: Data
    /// Whether its streams were read to their ends; if not, something that it has started kept one open for longer than
    /// ``ChildProcess/lingering(for:)`` says.
    public let isComplete: Bool

    let errorTailBytes: [UInt8]

    /// The output as text, without the line break at its end, if there is one; bytes that are no UTF-8 are replaced by “�”.
    ///
    /// - Complexity: O(*n*) each time.
    public var text: String { Self.text(of: output) }

    /// The output's lines, without their line breaks, LF or CRLF.
    ///
    /// - Complexity: O(*n*) each time.
    public var lines: [String] {
      var splitter = LineSplitter()
      return output.withUnsafeBytes { splitter.add($0) } + splitter.takeLast()
    }

    /// The error output as text, as ``text`` is the output.
    public var errorText: String { Self.text(of: errorOutput) }

    /// The last two kibibytes of the error output as text, unless that was inherited or discarded; of the output if the two are
    /// merged.
    public var errorTail: String { Self.text(of: Data(errorTailBytes)) }

    private static func text(of data: Data) -> String {
      let end = data.suffix(2) == Data("\r\n".utf8) ? 2 : data.last == UInt8(ascii: "\n") ? 1 : 0
      return String(decoding: data.dropLast(end), as: UTF8.self)
    }
  }
#endif
