import Foundation
import Taskig

/// A file's number of lines: a type of your own, which is a task since it has an action.
struct LineCount: ThrowableTaskType {
  let path: String

  func action(completion: @escaping @Sendable (TaskResult<Int>) -> Void) {
    completion(TaskResult { try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count })
  }
}

print(try LineCount(path: "/etc/passwd").await())

// Whatever is a task can be awaited in collections, in dictionaries too.
let files = ["users": LineCount(path: "/etc/passwd"), "groups": LineCount(path: "/etc/group")]
let counts = try files.awaitAll()
print(counts["users", default: 0] > 0, counts["groups", default: 0] > 0)
