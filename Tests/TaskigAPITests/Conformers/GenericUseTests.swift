import Taskig
import Testing

/// Tasks whose type is not known where they are run, as a library that takes tasks from its users writes them.
@Suite struct GenericUseTests {
  private static func run<T: TaskType>(_ task: T) -> T.ResultType { task.await() }
  private static func run<T: ThrowableTaskType>(_ task: T) throws -> T.ResultType { try task.await() }

  private static func runAll<S: Sequence>(_ tasks: S) -> [S.Element.ResultType] where S.Element: TaskType {
    tasks.awaitAll()
  }

  private static func some(_ probe: Probe) -> some TaskType { Later(probe: probe) }
  private static func someThrowing(_ probe: Probe) -> some ThrowableTaskType { Dice.six(probe) }

  @Test func `a generic function runs any task and returns its type of result`() async throws {
    let (number, text, six) = try await withDeadline("a generic function") {
      let number: Int = Self.run(Constant(probe: Probe()))
      let text: String = Self.run(Mapped(base: Weather.rainy(Probe())) { $0.uppercased() })
      let six: Int = try Self.run(Dice.six(Probe()))
      return (number, text, six)
    }
    #expect(number == 42)
    #expect(text == "RAINY")
    #expect(six == 6)
  }

  @Test func `a generic function throws what the task throws`() async throws {
    await #expect(throws: Failure.broken) {
      try await withDeadline("a generic function throws") { try Self.run(StrictParser(probe: Probe())) }
    }
  }

  @Test func `tasks of different types go through one array of existentials`() async throws {
    let results = try await withDeadline("an array of existentials") {
      let tasks: [any TaskType] = [
        Constant(probe: Probe()), Circle(probe: Probe()), Weather.sunny(Probe()), Account(probe: Probe()), Task { 1.5 },
      ]
      let throwing: [any ThrowableTaskType] = [
        Dice.six(Probe()), Parser(probe: Probe()), ThrowableTask { "text" },
      ]
      let opened = tasks.map { "\(Self.run($0))" } + (try throwing.map { "\(try Self.run($0))" })
      let direct = tasks.map { "\($0.await())" } + (try throwing.map { "\(try $0.await())" })
      return [opened, direct]
    }
    let expected = ["42", "round shape", "sunny", "42", "1.5", "6", "parsed", "text"]
    #expect(results == [expected, expected])
  }

  @Test func `an opaque task can be awaited`() async throws {
    let texts = try await withDeadline("an opaque task") {
      ["\(Self.some(Probe()).await())", "\(try Self.someThrowing(Probe()).await())"]
    }
    #expect(texts == ["42", "6"])
  }

  @Test func `subclasses go through one array of their superclass, each with its own action and queue`() async throws {
    let (texts, strays) = try await withDeadline("an array of a superclass") {
      let probe = Probe(.serial)
      let shapes: [Shape] = [Circle(probe: probe), Square(probe: Probe()), Circle(probe: probe)]
      return (Self.runAll(shapes), probe.strays)
    }
    #expect(texts == ["round shape", "shape", "round shape"])
    #expect(strays == 0)
  }

  @Test func `an array of opaque tasks, a set and a slice are collections of tasks`() async throws {
    let sums = try await withDeadline("other collections") {
      let tasks = (1...5).map { number in Task { number } }
      let byNumber = Dictionary(uniqueKeysWithValues: zip(1..., tasks))
      return [
        Self.runAll(tasks[1...2]), Self.runAll(tasks.lazy.reversed()), Self.runAll(AnySequence(tasks.prefix(1))),
        Self.runAll(byNumber.values).sorted(),
      ]
    }
    #expect(sums == [[2, 3], [5, 4, 3, 2, 1], [1], [1, 2, 3, 4, 5]])
  }
}
