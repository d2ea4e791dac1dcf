import Foundation
import Taskig

@Sendable func load(_ name: String) throws -> String { "the words of \(name)" }

let download = ThrowableTask { try load("index.html") }.start()
let words = download.map { $0.split(separator: " ").count }
print(try download.await(), try words.await())

let source = TaskCompletionSource<Int>()
DispatchQueue.global().async { source.set(42) }
print(try source.task.await())

@Sendable func download(_ url: URL) -> ThrowableTask<String> {
  ThrowableTask { "the page at \(url.path)" }
}

let pages = TaskMemo<URL, String>()

func page(_ url: URL) -> SharedTask<String> {
  pages.task(for: url) { download(url) }
}

print(try page(URL(fileURLWithPath: "/")).await())
