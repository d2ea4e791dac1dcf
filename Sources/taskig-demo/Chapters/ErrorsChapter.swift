import Taskig

/// Errors: thrown, as results, one for each task, and of the library itself where others hang.
struct ErrorsChapter: Chapter {
  let title = "Errors"

  /// What can be wrong with a setting.
  private enum SettingError: Error, Equatable {
    case noNumber(String)
    case outOfRange(Int)
  }

  private static let settings = ["80", "8080", "eighty", "443", "70000"]

  func run(on stage: Stage) throws {
    stage.say("Five settings are to be port numbers; the third and the fifth are none.")
    thrown(on: stage)
    asResults(on: stage)
    firstOfMany(on: stage)
    neverCompleted(on: stage)
  }

  /// The function says which errors it throws, and the caller of the task catches just these.
  private func thrown(on stage: Stage) {
    let (caught, time) = stage.measure { () -> SettingError? in
      do {
        try port("eighty", stage).await()
        return nil
      } catch let error as SettingError {
        return error
      } catch {
        return nil
      }
    }
    stage.report("await() on 'eighty', in do and catch", time)
    stage.check("caught", caught, is: .noNumber("eighty"))
  }

  private func asResults(on stage: Stage) {
    let (single, time) = stage.measure { port("8080", stage).awaitResult() }
    stage.report("awaitResult() on '8080'", time)
    stage.check("success with", try? single.get(), is: 8_080)

    let (all, allTime) = stage.measure { Self.settings.map { port($0, stage) }.awaitAllResults() }
    stage.report("awaitAllResults() on all five", allTime)
    stage.check("values", all.compactMap { try? $0.get() }, is: [80, 8_080, 443])
    let errors = all.compactMap { result in
      if case .failure(let error) = result { error as? SettingError } else { nil }
    }
    stage.check("errors", errors, is: [.noNumber("eighty"), .outOfRange(70_000)])
  }

  private func firstOfMany(on stage: Stage) {
    let started = Guarded<[String]>([])
    let tasks = Self.settings.map { setting in
      ThrowableTask {
        started.withLock { $0.append(setting) }
        return try port(setting, stage).await()
      }
    }
    let (values, time) = stage.measure { TaskResult { try tasks.awaitAll(concurrency: 1) } }
    stage.report("awaitAll(concurrency: 1) on all five", time)
    var caught: SettingError?
    if case .failure(let error) = values { caught = error as? SettingError }
    stage.check("thrown", caught, is: .noNumber("eighty"))
    stage.check("started until then, and none after", started.current, is: ["80", "8080", "eighty"])
  }

  /// A callback that is lost is an error that says where, not a program that stands still.
  private func neverCompleted(on stage: Stage) {
    let forgetful = ThrowableTask<Int> { _ in }
    let (result, time) = stage.measure { forgetful.awaitResult() }
    stage.report("A task that forgets its completion", time)
    var isNamed = false
    if case .failure(let error) = result, case TaskigError.neverCompleted = error {
      isNamed = true
      stage.say("\(error)")
    }
    stage.check("its waiter was told", isNamed, is: true)
  }

  private func port(_ setting: String, _ stage: Stage) -> ThrowableTask<Int> {
    ThrowableTask { try stage.work("parse") { try Self.parse(setting) } }
  }

  private static func parse(_ setting: String) throws(SettingError) -> Int {
    guard let number = Int(setting) else { throw .noNumber(setting) }
    guard (1...65_535).contains(number) else { throw .outOfRange(number) }
    return number
  }
}
