// swift-format-ignore-file
// The code between the marks stands as the original Taskig's README has it, but for Swift 2's names of Foundation's types
// and functions.
import Foundation
import Taskig
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private enum Functions {
/// The synchronous function that the README wraps.
static func encrypt(_ message: String) -> String { String(message.reversed()) }

// README
// synchronous API wrapped in task
static func encrypt(message: String) -> Task<String> {
    return Task {
        encrypt(message)
    }
}

// asynchronous API wrapped in task
static func get(URL: URL) -> Task<(Data?, URLResponse?, Error?)> {
    return Task {completionHandler in
        URLSession.shared.dataTask(with: URL, completionHandler: completionHandler).resume()
    }
}
// end
}

@Suite struct ReadmeUsageTests {
  // The README calls its functions without the argument labels that it declares them with.
  private let encrypt = { @Sendable in Functions.encrypt(message: $0) }
  private let get = { @Sendable in Functions.get(URL: $0) }

  init() {
    StubServer.start()
  }

  @Test func `async hands the result to its handler`() async throws {
    let ciphertext = try await withDeadline("encrypt async") { [encrypt] in
      let message = "abc"
      return caught { done in
        // README
        encrypt(message).async { ciphertext in /* do something */ done(ciphertext) }
        // end
      }
    }
    #expect(ciphertext == "cba")
  }

  @Test func `async hands a tuple to its handler, in parts`() async throws {
    let parts = try await withDeadline("get async") { [get] in
      let URL = StubServer.url("one")
      return caught { done in
        // README
        get(URL).async {(data, response, error) in /* do something */ done(described(data, response, error)) }
        // end
      }
    }
    #expect(parts == ["one", "200", "no error"])
  }

  @Test func `await returns the result`() async throws {
    let ciphertext = try await withDeadline("encrypt await") { [encrypt] in
      let message = "abc"
      // README
      let ciphertext = encrypt(message).await()
      // end
      return ciphertext
    }
    #expect(ciphertext == "cba")
  }

  @Test func `await returns a tuple that can be taken apart`() async throws {
    let parts = try await withDeadline("get await") { [get] in
      let URL = StubServer.url("one")
      // README
      let (data, response, error) = get(URL).await()
      // end
      return described(data, response, error)
    }
    #expect(parts == ["one", "200", "no error"])
  }

  @Test func `a task can be told its queue`() async throws {
    let printed = Shared<[String]>([])
    let main = MarkedQueue(.main)!
    let print = { @Sendable (line: String) in
      printed.withLock { $0.append(main.isCurrent ? line : "not on the main queue: \(line)") }
    }
    // The README leaves the tasks lie where they are made, which is a warning today: cold tasks do nothing then.
    let onMain =
    // README
    Task<Void>(executionQueue: .main) {
        print("On Main Thread")
        //Update UI here
    }
    // end
    let inBackground =
    // README
    Task<Int>(executionQueue: .background) { () -> Int in
        // Calculate something in the background
        return 42
    }
    // end
    #expect(printed.current == [])
    let answer = try await withDeadline("a task can be told its queue") {
      onMain.await()
      return inBackground.await()
    }
    #expect(printed.current == ["On Main Thread"])
    #expect(answer == 42)
  }

  @Test func `the first result of a collection is that of one of its tasks`() async throws {
    let first = try await withDeadline("awaitFirst") { [get] in
      let replicatedURLs = [StubServer.url("same"), StubServer.url("same")]
      // README
      let first = replicatedURLs.map(get).awaitFirst()
      // end
      return described(first.0, first.1, first.2)
    }
    #expect(first == ["same", "200", "no error"])
  }

  @Test func `all results of a collection come in its order`() async throws {
    let all = try await withDeadline("awaitAll") { [encrypt] in
      let messages = ["12", "23", "34"]
      // README
      let all = messages.map(encrypt).awaitAll()
      // end
      return all
    }
    #expect(all == ["21", "32", "43"])
  }

  @Test func `concurrency limits how many tasks run at once`() async throws {
    let running = Shared(0)
    let most = Shared(0)
    let encrypt = { @Sendable (message: String) in
      Task<String> {
        let now = running.increment()
        most.withLock { $0 = max($0, now) }
        defer { running.withLock { $0 -= 1 } }
        return String(message.reversed())
      }
    }
    let all = try await withDeadline("awaitAll(concurrency: 5)") {
      // README
      let numbersStrings = (0...900).map{ String($0) }

      // Maximum of 5 parallel tasks
      let all = numbersStrings.map(encrypt).awaitAll(concurrency: 5)
      // end
      return all
    }
    #expect(all == (0...900).map { String(String($0).reversed()) })
    #expect(most.current >= 1)
    #expect(most.current <= 5)
    #expect(running.current == 0)
  }

  @Test func `a dictionary of tasks is awaited under its keys`() async throws {
    let (all, limited, first) = try await withDeadline("dictionaries") { [encrypt] in
      let tasks = ["a": encrypt("12"), "b": encrypt("34")]
      return (tasks.awaitAll(), tasks.awaitAll(concurrency: 1), tasks.awaitFirst())
    }
    #expect(all == ["a": "21", "b": "43"])
    #expect(limited == all)
    #expect(["21", "43"].contains(first))
  }
}

/// What a request ended with, in a form that goes from one thread to another.
private func described(_ data: Data?, _ response: URLResponse?, _ error: Error?) -> [String] {
  [
    data.map { String(decoding: $0, as: UTF8.self) } ?? "no data",
    (response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "no response",
    error.map { "\($0)" } ?? "no error",
  ]
}
