import Foundation
import Taskig
import Testing

/// What a view controller inherits in an app: it is the main actor's, as all of UIKit is.
@MainActor class MainActorViewController {
  let imageView = MainActorView()
  let label = MainActorView()
}

@MainActor class MainActorView {
  var alpha = 0.0
  var image: UIImage?
}

final class PhotoViewController: MainActorViewController {
  let happenedNext = Gate()

  nonisolated func applyImageFilter(_ image: UIImage) -> UIImage { UIImage("enhanced " + image.name) }

  func enhance(_ image: UIImage) {
    Task.async {
      let enhancedImage = self.applyImageFilter(image)

      Task.async(executionQueue: .main) {
        MainActor.assumeIsolated { self.imageView.image = enhancedImage }
      }

      UIView.animateTask(withDuration: 0.3) {
        MainActor.assumeIsolated { self.label.alpha = 1 }
      }.await()

      // add code to happen next here
      self.happenedNext.open()
    }
  }
}

/// The README's first snippet in classes of the main actor.
///
/// As it stands it compiles there too, with a warning for each closure that changes a view: the compiler does not know that a
/// task on `.main` runs on the main actor. `MainActor.assumeIsolated` tells it, and checks.
@Suite struct ReadmeMainActorTests {
  @MainActor @Test func `the first snippet works in a view controller of the main actor`() async throws {
    let controller = PhotoViewController()
    controller.enhance(UIImage("holiday"))
    let happenedNext = controller.happenedNext
    try await withDeadline("the first snippet in a view controller") { happenedNext.pass() }
    #expect(controller.imageView.image?.name == "enhanced holiday")
    #expect(controller.label.alpha == 1)
  }
}
