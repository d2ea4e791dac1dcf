#if os(macOS) || os(Linux)
  import Foundation

  /// An open file of this process, which no child inherits and which is closed with the last reference.
  ///
  /// Foundation's `FileHandle` closes too, but traps where a pipe has lost its reader and blocks where there is nothing to read.
  final class Descriptor: Sendable {
    /// What came of reading or writing without waiting.
    enum Transfer: Equatable {
      case bytes(Int)
      /// Nothing can be done now.
      case later
      /// Nothing can be done ever again: the other end is closed, or the file is broken.
      case over
    }

    let number: Int32

    /// Takes over an open file.
    init(_ number: Int32) throws(SystemFault) {
      guard number >= 0 else { throw .last }
      var number = number
      if number <= STDERR_FILENO {
        // The numbers below are a child's streams. One of ours in their place, where this process has closed them, would be
        // overwritten while the child's are put there.
        let higher = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let fault = SystemFault.last
        close(number)
        guard higher >= 0 else { throw fault }
        number = higher
      }
      self.number = number
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(number) }

    /// Opens a file to read it.
    convenience init(reading path: String) throws(SystemFault) {
      try self.init(open(path, O_RDONLY | O_CLOEXEC))
    }

    /// Opens what is always empty and takes all that is written.
    static func nothing() throws(SystemFault) -> Descriptor {
      try Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC))
    }

    /// Opens what this process has open as `number` once more; nothing, if that is closed.
    static func again(_ number: Int32) throws(SystemFault) -> Descriptor {
      let copy = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      return copy < 0 && errno == EBADF ? try nothing() : try Descriptor(copy)
    }

    /// The number from which on there can be no files in this process.
    static var limit: Int { sysconf(Int32(_SC_OPEN_MAX)) }

    /// Whether there is a file of this number.
    static func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) != -1 }

    /// Opens it once more, with the lowest number that is free from `number` on.
    func copy(from number: Int32) throws(SystemFault) -> Descriptor {
      try Descriptor(fcntl(self.number, F_DUPFD_CLOEXEC, number))
    }

    /// Makes reading and writing return at once, through this end only.
    func neverBlock() {
      _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// Reads what is there, as far as there is room for it.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
      transfer { Foundation.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Writes as much as can be taken; the calling thread must block SIGPIPE.
    func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
      transfer { Foundation.write(number, bytes.baseAddress, bytes.count) }
    }

    private func transfer(_ act: () -> Int) -> Transfer {
      while true {
        let count = act()
        if count > 0 { return .bytes(count) }
        if count == 0 { return .over }
        if errno == EAGAIN || errno == EWOULDBLOCK { return .later }
        if errno != EINTR { return .over }
      }
    }
  }
#endif
