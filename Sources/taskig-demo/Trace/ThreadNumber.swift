import Foundation

/// Numbers for threads, in the order in which they are first asked for; the system's own are used again.
enum ThreadNumber {
  private static let key = "taskig-demo.thread"
  private static let last = Guarded(0)

  /// The calling thread's number, 0 for the main thread.
  static var current: Int {
    if Thread.isMainThread { return 0 }
    let storage = Thread.current.threadDictionary
    if let number = storage[key] as? Int { return number }
    let number = last.withLock { last in
      last += 1
      return last
    }
    storage[key] = number
    return number
  }

  /// What the thread with that number is called.
  static func name(of number: Int) -> String { number == 0 ? "main" : "thread \(number)" }
}
