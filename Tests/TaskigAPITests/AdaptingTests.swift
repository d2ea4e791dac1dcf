import Foundation
import Taskig
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Callback functions as they are found in programs, adapted.
@Suite struct AdaptingTests {
  @Test func `a function around URLSession becomes one that returns a task`() async throws {
    StubServer.start()
    let (text, failed) = try await withDeadline("a function around URLSession") {
      let load = ThrowableTask.adapting(fetch)
      let failed = load(URL(string: "nothing://stub")!).awaitResult()
      return (String(decoding: try load(StubServer.url("hello")).await(), as: UTF8.self), failed)
    }
    #expect(text == "hello")
    #expect(throws: URLError.self) { try failed.get() }
  }

  @Test func `a function that hands over data or an error returns a task of the data`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try Data("written".utf8).write(to: file)
    let (text, missing) = try await withDeadline("data or an error") {
      let read = ThrowableTask.adapting(contents)
      let missing = read(file.path + ".missing", []).awaitResult()
      return (String(decoding: try read(file.path, []).await(), as: UTF8.self), missing)
    }
    try FileManager.default.removeItem(at: file)
    #expect(text == "written")
    #expect(throws: CocoaError.self) { try missing.get() }
  }

  @Test func `a function that hands over an error or nothing returns a task of nothing`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    let (made, again) = try await withDeadline("an error or nothing") {
      let make = ThrowableTask.adapting(makeFolder)
      return (make(folder.path).awaitResult(), make(folder.path).awaitResult())
    }
    try FileManager.default.removeItem(at: folder)
    #expect(throws: Never.self) { try made.get() }
    #expect(throws: (any Error).self) { try again.get() }
  }

  @Test func `a function that cannot fail, of any number of arguments, returns a plain task`() async throws {
    let words = try await withDeadline("a function that cannot fail") {
      let one = Task.adapting(word)
      let five = Task.adapting(join)
      return [one("one").await(), five("a", "b", "c", "d", "e").await()]
    }
    #expect(words == ["one", "abcde"])
  }

  @Test func `a function is adapted on the spot, and makes tasks for a collection`() async throws {
    let words = try await withDeadline("adapted on the spot") {
      ["a", "b", "c"].map(Task.adapting(word)).awaitAll() + [Task.adapting(word)("d").await()]
    }
    #expect(words == ["a", "b", "c", "d"])
  }

  @Test func `what is adapted is kept in a global and in properties`() async throws {
    let words = try await withDeadline("kept in a global") {
      [
        spell("a").await(), spellAll("b", "c", "d", "e", "f").await(),
        Kept.spell("g").await(), Kept.spellAll("h", "i", "j", "k", "l").await(),
        Kept().spell("m").await(), Kept().spellAll("n", "o", "p", "q", "r").await(),
      ]
    }
    #expect(words.joined() == "abcdefghijklmnopqr")
  }

  @Test func `a method is adapted, with a progress function among its arguments`() async throws {
    let steps = Shared<[Double]>([])
    let sum = try await withDeadline("a method") {
      let add = Task.adapting(Adder(start: 1).add)
      return add([2, 3], { progress in steps.withLock { $0.append(progress) } }).await()
    }
    #expect(sum == 6)
    #expect(steps.current == [0.5, 1])
  }
}

private let spell = Task.adapting(word)
private let spellAll = Task.adapting(join)

private struct Kept {
  static let spell = Task.adapting(word)
  static let spellAll = Task.adapting(join)
  let spell = Task.adapting(word)
  let spellAll = Task.adapting(join)
}

// What a program may have had before it met Taskig. Only Swift 5 code has to say that the functions are `@Sendable`.

@Sendable
private func fetch(_ url: URL, completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
  URLSession.shared.dataTask(with: url) { data, _, error in completion(data, error) }.resume()
}

@Sendable
private func contents(
  of path: String, options: Data.ReadingOptions, completion: @escaping (Data?, Error?) -> Void
) {
  do {
    completion(try Data(contentsOf: URL(fileURLWithPath: path), options: options), nil)
  } catch {
    completion(nil, error)
  }
}

@Sendable
private func makeFolder(_ path: String, completion: ((Error?) -> Void)?) {
  do {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    completion?(nil)
  } catch {
    completion?(error)
  }
}

@Sendable
private func word(_ word: String, completion: @escaping @Sendable (String) -> Void) {
  DispatchQueue.global().async { completion(word) }
}

@Sendable
private func join(
  _ a: String, _ b: String, _ c: String, _ d: String, _ e: String, completion: @escaping (String) -> Void
) {
  completion(a + b + c + d + e)
}

private struct Adder: Sendable {
  let start: Int

  @Sendable
  func add(
    _ numbers: [Int], progress: @escaping @Sendable (Double) -> Void, completion: @escaping @Sendable (Int) -> Void
  ) {
    DispatchQueue.global().async {
      var sum = start
      for (index, number) in numbers.enumerated() {
        sum += number
        progress(Double(index + 1) / Double(numbers.count))
      }
      completion(sum)
    }
  }
}
