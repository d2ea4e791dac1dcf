#if os(macOS) || os(Linux)
  import Foundation

  extension ChildProcess {
    /// How a child ended.
    public enum Ending: Sendable, Hashable {
      /// It exited with this status, 0 to 255.
      case exit(Int32)
      /// A signal of this number ended it.
      case signal(Int32)
      /// Somebody else in this process waited for it, or children are not to be waited for (`SIGCHLD` is ignored), so nobody told.
      case unknown
    }

    /// What a child left behind.
    public struct Output: Sendable {
      /// How it ended.
      public let ending: Ending
      /// What it wrote to its output, if that was captured.
      public let output: Data
      /// What it wrote to its error output, if that was captured.
      public let errorOutput: Data
      /// Whether its streams were read to their ends; if not, something that it has started kept one open for longer than
      /// ``ChildProcess/linger(_:)`` says.
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
  }

  extension ChildProcess.Ending {
    /// Makes sense of what the system says of a child's end.
    init(status: Int32?) {
      guard let status else {
        self = .unknown
        return
      }
      let signal = status & 0x7f
      self = signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
    }
  }

  extension ChildProcess.Ending: CustomStringConvertible {
    /// How it ended, as the second half of a sentence.
    public var description: String {
      switch self {
      case .exit(let status): "exited with status \(status)"
      case .signal(let number): "was ended by signal \(number) (\(String(cString: strsignal(number))))"
      case .unknown: "ended in a way that nobody told"
      }
    }
  }
#endif
