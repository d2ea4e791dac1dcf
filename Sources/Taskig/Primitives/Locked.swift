#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A value that can be reached only while its lock is held.
///
/// Keep to the house rule: decide inside `withLock`, act after it. No handler and no user code runs in the closure.
///
/// `Synchronization.Mutex` was the first choice and was given up: ThreadSanitizer does not see all of it on Linux and then
/// reports races that are not there, and a check that cries wolf checks nothing. A pthread mutex costs the same when nobody
/// contends for it.
final class Locked<State>: @unchecked Sendable {
  // because every read and write of the state goes through the mutex beside it.
  //
  // The mutex has an address of its own: a stored property has none that lasts beyond one call.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The compiler's own check of exclusive access would check again what the mutex sees to.
  @exclusivity(unchecked) private var state: State

  /// Makes the lock, open, around `state`.
  init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the state while no other thread has it, and hands on what it returns.
  func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
