import Foundation

/// What came of a job, as a line of JSON.
struct JobRecord: Codable {
  /// How many bytes of each stream are put in at most.
  static let mostOfStream = 1 << 20

  let argument: String
  let command: String
  var status: Int32?
  var signal: Int32?
  let timedOut: Bool
  let attempts: Int
  /// Seconds since 1970.
  let start: Double
  let seconds: Double
  let stdout: String
  let stderr: String
  /// Whether the job has written more than that.
  let truncated: Bool

  init(_ report: JobReport, output: Data, errors: Data, isTruncated: Bool) {
    argument = report.argument
    command = report.command.description
    status = report.ending.status
    signal = report.ending.signal
    if case .timedOut = report.ending { timedOut = true } else { timedOut = false }
    attempts = report.attempts
    start = report.start.timeIntervalSince1970
    seconds = report.duration.seconds
    stdout = String(decoding: output, as: UTF8.self)
    stderr = String(decoding: errors, as: UTF8.self)
    truncated = isTruncated
  }

  func line() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
