// swift-format-ignore-file
// The code between the marks stands as the original Taskig's README has it.
import Foundation
import Taskig
import Testing

@Suite struct ReadmeWorkflowTests {
  final class PhotoViewController: UIViewController, @unchecked Sendable {
    // because nothing in it changes but the views.
    let imageView = UIImageView()
    let label = UILabel()
    let happenedNext = Gate()

    func applyImageFilter(_ image: UIImage) -> UIImage { UIImage("enhanced " + image.name) }

    func enhance(_ image: UIImage) {
      // README
      Task.async {
          let enhancedImage = self.applyImageFilter(image)

          Task.async(executionQueue: .main) { self.imageView.image = enhancedImage }

          UIView.animateTask(withDuration: 0.3) { self.label.alpha = 1 }.await()

          // add code to happen next here
          self.happenedNext.open()
      }
      // end
    }
  }

  @Test func `the first snippet enhances an image in the background and shows it on the main queue`() async throws {
    let controller = PhotoViewController()
    try await withDeadline("the first snippet") {
      controller.enhance(UIImage("holiday"))
      controller.happenedNext.pass()
    }
    #expect(controller.imageView.image?.name == "enhanced holiday")
    #expect(controller.label.alpha == 1)
  }

  @Test func `awaits in one closure happen in the order in which they are written`() async throws {
    let imageView = UIImageView()
    let lines = Shared<[String]>([])
    let finished = Gate()
    let print = { @Sendable (line: String) in
      lines.withLock { $0.append(line) }
      if line == "finished" { finished.open() }
    }
    let downloadImage = Task { UIImage("cat") }
    let processImage = { @Sendable (image: UIImage) in Task { UIImage("sharp " + image.name) } }

    try await withDeadline("composing tasks") {
      // README, with straight quotation marks
      Task {
          print("downloading image")
          var image = downloadImage.await()
          imageView.updateWithImage(image).await()

          print("processing image")
          image = processImage(image).await()
          imageView.updateWithImage(image).await()

          print("finished")
      }.async()
      // end
      finished.pass()
    }
    #expect(lines.current == ["downloading image", "processing image", "finished"])
    #expect(imageView.shown == ["cat", "sharp cat"])
  }
}
