import Foundation
import Taskig

struct Countdown: TaskType {
  let seconds: Int

  func action(completion: @escaping @Sendable (String) -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { completion("Lift-off") }
  }
}

print(Countdown(seconds: 1).await())

struct Contents: ThrowableTaskType {
  let file: URL

  func action(completion: @escaping @Sendable (TaskResult<Data>) -> Void) {
    completion(TaskResult { try Data(contentsOf: file) })
  }
}

let data = try Contents(file: URL(fileURLWithPath: "/etc/hosts")).await()
let text = try ThrowableTask { try String(contentsOfFile: "/etc/hosts", encoding: .utf8) }.await()

print(data.count == text.utf8.count)
