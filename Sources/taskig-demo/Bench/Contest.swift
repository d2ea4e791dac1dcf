import Dispatch

/// A piece of work that is done in several ways, which are measured side by side.
struct Contest: Sendable {
  /// One way to do it.
  struct Contestant: Sendable {
    /// Whom the way belongs to.
    let party: Party
    /// The way itself, in a few words of code.
    let way: String
    /// Does the work so many times, and returns the sum of what came of it.
    let work: @Sendable (Int) -> Int
  }

  /// Whose ways are compared.
  enum Party: String, CaseIterable {
    case taskig = "Taskig"
    case dispatch = "Dispatch"
    case swiftConcurrency = "Swift concurrency"
  }

  /// A word for programs.
  let name: String
  /// What is measured, in words.
  let title: String
  /// Into how many parts the time of one piece of work is divided.
  let parts: Int
  /// What comes of one piece of work; a way that is fast and wrong has not won.
  let sum: Int
  let contestants: [Contestant]

  init(_ name: String, _ title: String, parts: Int = 1, sum: Int, _ contestants: [Contestant]) {
    (self.name, self.title, self.parts, self.sum, self.contestants) = (name, title, parts, sum, contestants)
  }
}

extension Contest.Contestant {
  static func taskig(_ way: String, _ work: @escaping @Sendable (Int) -> Int) -> Self {
    Self(party: .taskig, way: way, work: work)
  }

  static func dispatch(_ way: String, _ work: @escaping @Sendable (Int) -> Int) -> Self {
    Self(party: .dispatch, way: way, work: work)
  }

  /// A way of `async` code, in which the work is repeated; the caller, no thread of Swift's pool, blocks until all is done.
  static func swiftConcurrency(_ way: String, _ work: @escaping @Sendable () async -> Int) -> Self {
    Self(party: .swiftConcurrency, way: way) { count in
      blockingOnSemaphore {
        var sum = 0
        for _ in 0..<count { sum &+= await work() }
        return sum
      }
    }
  }
}

/// Runs `async` code the usual way: a task of Swift's, and a semaphore.
func blockingOnSemaphore(_ body: @escaping @Sendable () async -> Int) -> Int {
  let result = Guarded(0)
  let done = DispatchSemaphore(value: 0)
  _Concurrency.Task.detached {
    let value = await body()
    result.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  return result.current
}
