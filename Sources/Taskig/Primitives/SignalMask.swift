#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Which signals a thread takes; one that it blocks is left to other threads, or waits until one of them takes it.
///
/// On Linux, Dispatch's threads block most signals. So do, since they inherit it, the threads and the programs that are started
/// on them.
struct SignalMask {
  private var blocked: sigset_t

  /// The calling thread's.
  static var current: SignalMask {
    var blocked = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &blocked)
    return SignalMask(blocked: blocked)
  }

  /// The same, but for the signals `numbers`, which it takes.
  func taking(_ numbers: some Sequence<Int32>) -> SignalMask {
    var mask = self
    for number in numbers { sigdelset(&mask.blocked, number) }
    return mask
  }

  /// Makes this the calling thread's.
  func install() {
    var blocked = blocked
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }

  /// Runs `body` while the calling thread takes the signals `numbers`, whatever it does otherwise.
  static func taking<R>(_ numbers: [Int32], _ body: () throws -> R) rethrows -> R {
    try current.taking(numbers).holding(during: body)
  }

  /// Runs `body` while the calling thread takes all signals.
  static func takingAll<R>(_ body: () throws -> R) rethrows -> R {
    var blocked = sigset_t()
    sigemptyset(&blocked)
    return try SignalMask(blocked: blocked).holding(during: body)
  }

  private func holding<R>(during body: () throws -> R) rethrows -> R {
    let before = Self.current
    install()
    defer { before.install() }
    return try body()
  }
}
