import Foundation
import Taskig

/// What the README's code uses of UIKit, as far as it uses it.
final class UIImage: Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

class UIView: @unchecked Sendable {
  // because the README's code changes views on the main queue, and the tests look when it is done.
  var alpha = 0.0

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
  var image: UIImage?
  private(set) var shown: [String] = []

  func updateWithImage(_ image: UIImage) -> Task<Void> {
    Task(executionQueue: .main) { self.shown.append(image.name) }
  }
}

class UIViewController: @unchecked Sendable {}
