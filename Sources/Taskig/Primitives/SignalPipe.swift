#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The way of a signal out of the handler: its number is written into a pipe, and read where anything may be done.
///
/// Dispatch's signal sources were tried first and given up. On Linux a source sets a handler of its own some time after it is
/// activated, until when the default action holds, and never sets it back. On Apple platforms the signal has to be ignored, and
/// programs that are started meanwhile inherit that.
enum SignalPipe {
  private struct Ends {
    let read: Int32
    let write: Int32
  }

  /// Made when it is first needed, and kept: a handler may be on its way at any time.
  private static let ends: Ends? = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait, in what may be the very thread that reads.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return Ends(read: ends[0], write: ends[1])
  }()

  /// Whether there is a pipe; to be asked before `disposition` holds, since a handler must find it made.
  static var isMade: Bool { ends != nil }

  /// Has a signal written into the pipe, for as long as it holds.
  static var disposition: SignalDisposition {
    SignalDisposition { number in SignalPipe.put(UInt8(truncatingIfNeeded: number)) }
  }

  /// Has whoever reads the pipe look up.
  static func nudge() { put(0) }

  private static func put(_ byte: UInt8) {
    guard let ends else { return }
    // The code that a handler interrupts may be about to look at `errno`.
    let before = errno
    var byte = byte
    // A full pipe holds tens of thousands of signals that nobody has looked at; one more tells nobody more.
    _ = write(ends.write, &byte, 1)
    errno = before
  }

  /// Waits for signals, and returns the numbers of those that have come, in order; none after a nudge.
  static func nextNumbers() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    guard let ends else { return [] }
    let count = read(ends.read, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).filter { $0 != 0 }.map(Int32.init)
  }
}
