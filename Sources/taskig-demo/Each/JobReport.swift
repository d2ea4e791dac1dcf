import Foundation
import Taskig

/// What came of a job.
struct JobReport: Sendable {
  let argument: String
  let command: ChildProcess
  let ending: JobEnding
  let attempts: Int
  let start: Date
  let duration: Duration

  /// The failure in a line.
  var complaint: String {
    let tries = attempts > 1 ? " (after \(attempts.of("attempt")))" : ""
    return Self.line("\(Self.short(command)): \(ending.text)\(tries)")
  }

  /// A failure that is not the last word, in a line.
  static func retryNotice(_ command: ChildProcess, _ ending: JobEnding, attempt: Int, of attempts: Int) -> String {
    line("\(short(command)): \(ending.text); attempt \(attempt) of \(attempts) follows")
  }

  /// A command on one line, and no longer than a line should be.
  private static func short(_ command: ChildProcess) -> String {
    let text = command.description.unicodeScalars.map {
      $0.properties.generalCategory == .control ? $0.escaped(asASCII: false) : "\($0)"
    }
    .joined()
    return text.clipped(to: 300)
  }

  private static func line(_ text: String) -> String { "\(DemoTool.name): \(text)" }
}
