import Foundation
import Taskig

/// The arguments, handed out one by one to whoever comes first; from any thread.
final class ArgumentSource: Sendable {
  private enum Rest {
    case list(ArraySlice<String>)
    case input(ArgumentReader)
    case none
  }

  /// How many there are, if that can be known.
  let total: Int?

  private let bell = Bell()
  private let state: Guarded<(rest: Rest, taken: Int)>
  private let isClosed = Guarded(false)

  init(_ arguments: EachPlan.Arguments) {
    switch arguments {
    case .list(let words):
      total = words.count
      state = Guarded((.list(words[...]), 0))
    case .input(let endedByNUL):
      total = nil
      state = Guarded((.input(ArgumentReader(endedByNUL: endedByNUL, bell: bell)), 0))
    }
  }

  /// The next argument and its number, from 0 on; `nil` at the end, or once it is closed.
  ///
  /// Blocks while there is none yet.
  func next() throws -> (number: Int, argument: String)? {
    try state.withLock { state in
      guard !isClosed.current, let argument = try Self.take(from: &state.rest) else { return nil }
      state.taken += 1
      return (state.taken - 1, argument)
    }
  }

  /// Hands out no more, also to those who wait for one.
  func close() {
    isClosed.withLock { $0 = true }
    bell.ring()
  }

  private static func take(from rest: inout Rest) throws -> String? {
    switch rest {
    case .list(var words):
      let word = words.popFirst()
      rest = .list(words)
      return word
    case .input(var reader):
      // Moved out and in again, so that its buffer is not copied; after an error there is nothing more.
      rest = .none
      guard let line = try reader.next() else { return nil }
      rest = .input(reader)
      return line
    case .none:
      return nil
    }
  }
}
