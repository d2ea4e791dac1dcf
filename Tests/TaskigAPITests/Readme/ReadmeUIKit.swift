import Foundation
import Taskig

/// What the README's code uses of UIKit, as far as it uses it.
final class UIImage: Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

/// Views keep what they show behind a lock: ThreadSanitizer does not see that the main queue runs one block after the other
/// where, as in a test, different threads run them.
class UIView: @unchecked Sendable {
  // because all that changes is behind a lock.
  private let opacity = Shared(0.0)

  var alpha: Double {
    get { opacity.current }
    set { opacity.withLock { $0 = newValue } }
  }

  /// Changes the views on the main queue; no time passes, so that no test waits for it.
  @preconcurrency
  static func animateTask(
    withDuration duration: TimeInterval, animations: @escaping @Sendable () -> Void
  ) -> Task<Bool> {
    Task(executionQueue: .main) { completion in
      animations()
      completion(true)
    }
  }
}

final class UILabel: UIView, @unchecked Sendable {}

final class UIImageView: UIView, @unchecked Sendable {
  // because the same holds for what it adds.
  private let current = Shared<UIImage?>(nil)
  private let names = Shared<[String]>([])

  var image: UIImage? {
    get { current.current }
    set { current.withLock { $0 = newValue } }
  }

  var shown: [String] { names.current }

  func updateWithImage(_ image: UIImage) -> Task<Void> {
    Task(executionQueue: .main) { self.names.withLock { $0.append(image.name) } }
  }
}

class UIViewController: @unchecked Sendable {}
