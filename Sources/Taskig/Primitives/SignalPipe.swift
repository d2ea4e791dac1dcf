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
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return Ends(read: ends[0], write: ends[1])
  }()

  /// What is to be read, a byte for each signal; `nil` if the system gives no pipe. To be asked before `disposition` holds.
  static var readEnd: Int32? { ends?.read }

  /// Has a signal written into the pipe, for as long as it holds.
  static var disposition: SignalDisposition {
    SignalDisposition { number in
      // A full pipe holds tens of thousands of signals that nobody has looked at; one more tells nobody more.
      let before = errno
      var byte = UInt8(truncatingIfNeeded: number)
      if let end = SignalPipe.ends?.write { _ = write(end, &byte, 1) }
      errno = before
    }
  }

  /// The numbers of some of the signals that have come since the last time, in order; none if none has.
  static func takeNumbers() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    guard let end = readEnd else { return [] }
    let count = read(end, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).map(Int32.init)
  }
}
