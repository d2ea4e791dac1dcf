import Foundation

extension Script {
  /// The error that ends a script with a status of its own.
  ///
  /// ```swift
  /// guard arguments.count == 2 else { throw Script.Exit(64, "usage: resize <image>") }
  /// ```
  public struct Exit: Error, Equatable {
    /// What the process exits with.
    public let status: Int32

    /// What is written to standard error before; `nil` for nothing.
    public let message: String?

    /// Makes the error that ends a script with `status`, from 0 to 255, and `message`.
    ///
    /// Traps for other statuses: the system passes on only the lowest eight bits, so 256 would pass for success.
    public init(_ status: Int32, _ message: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
      if !(0...255).contains(status) {
        trap(
          "There is no exit status \(status).",
          consequence: "The system passes on its lowest eight bits only, so it would arrive as \(status & 255).",
          remedy: "Pass a status from 0 to 255.",
          at: CallSite(file, line))
      }
      self.status = status
      self.message = message
    }
  }
}

extension Script.Exit: LocalizedError, CustomStringConvertible {
  /// The same as `description`.
  public var errorDescription: String? { description }

  /// The message, or else the status in words.
  public var description: String { message ?? "The script ends with status \(status)." }
}
