import Dispatch
import Foundation

@testable import Taskig

/// Something that blocks, on a thread of its own, and whose result the test asks for when it wants to.
final class Aside<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)
  private let done = Gate()

  init(_ body: @escaping @Sendable () -> Value) {
    Thread.detachNewThread { [value, done] in
      let result = body()
      value.withLock { $0 = result }
      done.open()
    }
  }

  /// The result; `nil` if it does not come within `seconds`.
  func result(within seconds: Double = 30) -> Value? {
    done.pass(within: seconds) ? value.withLock { $0 } : nil
  }

  var isDone: Bool { value.withLock { $0 != nil } }
}
