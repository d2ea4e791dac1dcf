import Foundation

/// The error of work that a signal called off, such as Ctrl-C; ``Task/cancelling(on:_:file:line:_:)`` throws it.
public struct CancelledBySignal: Error, Equatable {
  /// The signal's number, such as `SIGINT`.
  public let number: Int32

  /// Makes the error of work that the signal `number` called off.
  public init(number: Int32) {
    self.number = number
  }

  /// What a program that ends for it exits with, as a shell has it: 128 and the number, so 130 after Ctrl-C.
  public var exitStatus: Int32 { 128 + number }
}

extension CancelledBySignal: LocalizedError, CustomStringConvertible {
  /// The same as `description`.
  public var errorDescription: String? { description }

  /// What happened, in a whole sentence.
  public var description: String { "The work was cancelled by signal \(number)." }
}
