#if os(macOS) || os(Linux)
  import Foundation

  /// One thread that waits for any number of files to become ready, and does what is then to be done.
  ///
  /// `FileHandle.readabilityHandler` and `DispatchIO` would need no thread, but on Linux both can crash when pipes come and go
  /// quickly. Nothing that takes long runs here, and no user's code: it would hold up all others.
  final class Pump: @unchecked Sendable {
    // because only the pump's thread touches `watches` and `scratch`.
    static let shared = Pump()

    enum Direction: Int16 {
      case reading
      case writing
    }

    private struct Watch {
      let descriptor: Descriptor
      let direction: Direction
      let act: () -> Void
    }

    private struct State {
      var calls: [@Sendable () -> Void] = []
      /// Makes the thread's wait end; there once it runs.
      var bell: Descriptor?
    }

    private let state = Locked(State())
    private var watches: [Int32: Watch] = [:]

    /// Room to read into, for whoever runs on the pump's thread.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    private init() {}

    /// Starts the thread, if it does not run yet; it stays.
    func start() throws(SystemFault) {
      let failure = state.withLock { state -> SystemFault? in
        guard state.bell == nil else { return nil }
        do throws(SystemFault) {
          let (listening, bell) = try Descriptor.makePipe()
          listening.neverBlock()
          bell.neverBlock()
          guard NativeThread.start("taskig.pump", { [self] in turn(listening) }) else {
            throw SystemFault(code: EAGAIN)
          }
          state.bell = bell
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
    }

    /// Runs `body`, which must not block, on the pump's thread, soon and in order; it has been started.
    func perform(_ body: @escaping @Sendable () -> Void) {
      let bell = state.withLock { state in
        state.calls.append(body)
        return state.calls.count == 1 ? state.bell : nil
      }
      // A bell that is full already rings.
      if let bell { _ = withUnsafeBytes(of: UInt8(1)) { bell.write($0) } }
    }

    /// Calls `act` each time that the file is ready, or broken; only on the pump's thread.
    func watch(_ descriptor: Descriptor, for direction: Direction, _ act: @escaping () -> Void) {
      watches[descriptor.number] = Watch(descriptor: descriptor, direction: direction, act: act)
    }

    /// Calls it no more; only on the pump's thread.
    func unwatch(_ descriptor: Descriptor) {
      if watches[descriptor.number]?.descriptor === descriptor { watches[descriptor.number] = nil }
    }

    private func turn(_ listening: Descriptor) {
      Self.blockSignals()
      // What has come before the bell was there.
      makeCalls()
      watch(listening, for: .reading) { [self] in
        _ = listening.read(into: scratch)
        makeCalls()
      }
      while true {
        let round = Array(watches.values)
        var polls = round.map { watch in
          pollfd(
            fd: watch.descriptor.number, events: Int16(watch.direction == .reading ? POLLIN : POLLOUT), revents: 0)
        }
        guard poll(&polls, nfds_t(polls.count), -1) > 0 else {
          // There is no memory, or the limit of files has been lowered beneath what is open. That may pass.
          if errno != EINTR { Thread.sleep(forTimeInterval: 0.01) }
          continue
        }
        for (watch, poll) in zip(round, polls) where poll.revents != 0 {
          // One that came before it may have given it up.
          guard watches[poll.fd]?.descriptor === watch.descriptor else { continue }
          watch.act()
        }
      }
    }

    private func makeCalls() {
      let calls = state.withLock { state in
        defer { state.calls = [] }
        return state.calls
      }
      for call in calls { call() }
    }

    /// Keeps signals away from this thread, but for those that report a fault of its own.
    ///
    /// Writing to a pipe that nobody reads would end the process by one, and the user's handlers are better off elsewhere.
    private static func blockSignals() {
      var signals = sigset_t()
      sigfillset(&signals)
      for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
      pthread_sigmask(SIG_SETMASK, &signals, nil)
    }
  }
#endif
