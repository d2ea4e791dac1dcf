import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The way of a signal out of the handler: its number is noted, and a byte in a pipe has somebody look where anything may be done.
///
/// The numbers themselves went through the pipe at first. It could fill up with one signal, and then lost another.
///
/// Dispatch's signal sources were tried first and given up. On Linux a source sets a handler of its own some time after it is
/// activated, until when the default action holds, and never sets it back. On Apple platforms the signal has to be ignored, and
/// programs that are started meanwhile inherit that.
enum SignalPipe {
  private struct Ends {
    let read: Int32
    let write: Int32
    /// The process that they belong to; one that it forks has them too.
    let owner: pid_t
  }

  /// Made when it is first needed, and kept: a handler may be on its way at any time.
  private static let ends: Ends? = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // Where a standard stream is closed, an end would be in its place, and be written to by whoever means that.
    let higher = ends.map { fcntl($0, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
    for end in ends { close(end) }
    guard higher.allSatisfy({ $0 >= 0 }) else { return nil }
    // A handler must not wait, in what may be the very thread that reads.
    _ = fcntl(higher[1], F_SETFL, O_NONBLOCK)
    return Ends(read: higher[0], write: higher[1], owner: getpid())
  }()

  /// The signals that have come, a bit for each, and those that have come again before anybody looked.
  private static let arrived = Atomic<UInt64>(0)
  private static let again = Atomic<UInt64>(0)

  /// Whether there is a pipe; to be asked before `disposition` holds, since a handler must find all made.
  static var isMade: Bool {
    _ = (arrived.load(ordering: .relaxed), again.load(ordering: .relaxed))
    return ends != nil
  }

  /// Has a signal noted, for as long as it holds.
  ///
  /// In a child that somebody forks from this process, and that has inherited it, the signal has its default effect.
  static var disposition: SignalDisposition { SignalDisposition { number in SignalPipe.note(number) } }

  private static func note(_ number: Int32) {
    // The code that a handler interrupts may be about to look at `errno`.
    let before = errno
    defer { errno = before }
    guard getpid() == ends?.owner else {
      SignalDisposition.standard.install(for: number)
      SignalDisposition.raise(number)
      return
    }
    let bit = UInt64(1) << UInt64(number - 1)
    if arrived.bitwiseOr(bit, ordering: .sequentiallyConsistent).oldValue & bit != 0 {
      again.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    }
    nudge()
  }

  /// Has whoever reads the pipe look up.
  static func nudge() {
    guard let ends else { return }
    var byte: UInt8 = 0
    // When the pipe is full, whoever reads it is about to look anyway.
    _ = write(ends.write, &byte, 1)
  }

  /// Waits until a signal has come, or somebody has nudged.
  static func waitForNudge() {
    guard let ends else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    _ = read(ends.read, &bytes, bytes.count)
  }

  /// The numbers of the signals that have come since this was asked last.
  ///
  /// One that has come more than once is there twice: the first tells who waits, the second may come after that.
  static func takeNumbers() -> [Int32] {
    let arrived = arrived.exchange(0, ordering: .sequentiallyConsistent)
    let again = again.exchange(0, ordering: .sequentiallyConsistent)
    return numbers(in: arrived) + numbers(in: again)
  }

  private static func numbers(in bits: UInt64) -> [Int32] {
    (1...64).filter { bits & 1 << UInt64($0 - 1) != 0 }
  }
}
