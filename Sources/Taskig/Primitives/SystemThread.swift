#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A thread as the system knows it: whether it is blocked, or wants a processor.
struct SystemThread: Hashable, Sendable {
  private let number: Int

  #if os(Linux) || os(Android)
    /// The calling thread; about a microsecond.
    static var current: SystemThread? {
      // `gettid` is not visible from Swift; the link ends with the same number.
      var path = [UInt8](repeating: 0, count: 64)
      let length = readlink("/proc/thread-self", &path, path.count)
      guard length > 0, let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else { return nil }
      return Int(String(decoding: path[(slash + 1)..<length], as: UTF8.self)).map(SystemThread.init)
    }

    /// Whether the thread runs or would run if it got a processor; `nil` if the system does not say; some microseconds.
    var isRunnable: Bool? {
      let file = open("/proc/self/task/\(number)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var text = [UInt8](repeating: 0, count: 256)
      let length = read(file, &text, text.count)
      // The state is the letter after the name, which stands in brackets and may hold any character.
      guard length > 0, let bracket = text[..<length].lastIndex(of: UInt8(ascii: ")")), bracket + 2 < length else {
        return nil
      }
      return text[bracket + 2] == UInt8(ascii: "R")
    }
  #else
    /// Not known here: then a thread that makes no progress is taken for a blocked one.
    static var current: SystemThread? { nil }
    var isRunnable: Bool? { nil }
  #endif
}

extension Sequence<SystemThread> {
  /// Whether at least `count` of the threads run, or would if they got a processor.
  func areRunnable(_ count: Int) -> Bool {
    lazy.filter { $0.isRunnable == true }.prefix(count).reduce(0) { sum, _ in sum + 1 } == count
  }
}
