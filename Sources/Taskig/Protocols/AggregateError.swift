import Foundation

/// The errors of tasks that all failed, each under what tells its task: the index in a sequence, the key in a dictionary.
public struct AggregateError<ID: Hashable & Sendable>: Error {
  /// Each task's error.
  public let errors: [ID: any Error]

  /// Makes an aggregate of errors.
  public init(errors: [ID: any Error]) {
    self.errors = errors
  }
}

extension AggregateError: LocalizedError, CustomStringConvertible {
  /// The same as `description`.
  public var errorDescription: String? { description }

  /// How many tasks failed, and with what, the first ten in order.
  public var description: String {
    // An error that has no text for people says more of itself than Foundation does of it.
    let lines = errors.map {
      (id: "\($0.key)", error: ($0.value as? any LocalizedError)?.errorDescription ?? "\($0.value)")
    }
    .sorted { $0.id.compare($1.id, options: .numeric) == .orderedAscending }
    let more = lines.count > 10 ? "\n  and \(lines.count - 10) more" : ""
    return "All \(lines.count) tasks failed:" + lines.prefix(10).map { "\n  \($0.id): \($0.error)" }.joined() + more
  }
}
