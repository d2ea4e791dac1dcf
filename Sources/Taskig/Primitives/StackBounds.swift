#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How far the calling thread's stack may still grow.
///
/// Awaits run in place, so awaits nested in awaits are nested calls. Before the stack ends, the work moves to a fresh one.
struct StackBounds {
  /// The lowest address at which a new task may still start on this thread, if it could as well start on another.
  let floor: UInt

  /// The lowest address at which one may that can start nowhere else.
  let lastFloor: UInt

  /// What is kept back for code that does not ask: the user's own frames between two awaits, and the runtime's.
  private static let reserve: UInt = 512 * 1024

  /// Measures the calling thread's stack; some microseconds, so once a thread.
  static func ofCurrentThread() -> StackBounds {
    guard let (lowest, size) = extent(), size > 0 else {
      // An unknown stack is taken for a small one that starts here: too many moves are slow, one too few is a crash.
      return StackBounds(floor: address() - 64 * 1024, lastFloor: address() - 96 * 1024)
    }
    let reserve = min(reserve, size / 4)
    return StackBounds(floor: lowest + reserve, lastFloor: lowest + reserve / 4)
  }

  /// Whether the stack, as it is at the call, has room for another task.
  @inline(__always)
  var hasRoom: Bool { Self.address() > floor }

  /// Whether it has for one that cannot move.
  var hasLastRoom: Bool { Self.address() > lastFloor }

  @inline(__always)
  private static func address() -> UInt {
    var marker: UInt8 = 0
    return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
  }

  #if canImport(Darwin)
    private static func extent() -> (lowest: UInt, size: UInt)? {
      let thread = pthread_self()
      let size = UInt(pthread_get_stacksize_np(thread))
      return (UInt(bitPattern: pthread_get_stackaddr_np(thread)) - size, size)
    }
  #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// glibc and musl both have `pthread_getattr_np`, but only behind `_GNU_SOURCE`, so Swift's importer does not see it.
    private static func extent() -> (lowest: UInt, size: UInt)? {
      guard let symbol = dlsym(nil, "pthread_getattr_np") else { return nil }
      var attributes = pthread_attr_t()
      guard unsafeBitCast(symbol, to: GetAttributes.self)(pthread_self(), &attributes) == 0 else { return nil }
      defer { pthread_attr_destroy(&attributes) }
      var lowest: UnsafeMutableRawPointer?
      var size = 0
      guard pthread_attr_getstack(&attributes, &lowest, &size) == 0, let lowest else { return nil }
      return (UInt(bitPattern: lowest), UInt(size))
    }
  #endif
}
