import Foundation
import Taskig

func download(_ name: String) -> Task<Data> {
  Task { Data(name.utf8) }
}

func shrink(_ image: Data) -> Task<Data> {
  Task { image.prefix(3) }
}

func show(_ image: Data) -> Task<Void> {
  Task(executionQueue: .main) { print("On the main thread: \(image.count) bytes") }
}

// The whole flow is a task, and what it awaits is done when the next line begins.
let flow = Task { () -> Int in
  let image = download("portrait").await()
  show(image).await()
  let small = shrink(image).await()
  show(small).await()
  return small.count
}

print(flow.await())
