import Foundation
import Taskig

func fetch(_ url: URL) -> ThrowableTask<String> {
  ThrowableTask { "the page at \(url.path)" }
}

let url = URL(fileURLWithPath: "/")
let page = try fetch(url).retry(attempts: 5, backoff: .exponential(from: .milliseconds(200))).await()
print(page)

let userTask = ThrowableTask { "ada" }
let postsTask = ThrowableTask { ["On the Analytical Engine"] }

let (name, age) = Task { "Ada" }.zip(Task { 36 }).await()
let (user, posts) = try userTask.zip(postsTask).await()
print(name, age, user, posts)

try ThrowableTask.delay(for: .seconds(1)).await()
