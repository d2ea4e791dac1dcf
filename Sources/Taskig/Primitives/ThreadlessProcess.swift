#if os(macOS) || os(Linux)
  import Foundation

  #if canImport(Darwin)
    /// A process for whose end Foundation starts no thread: here it has those of Dispatch.
    typealias ThreadlessProcess = Process
  #else
    /// A process for whose end Foundation starts no thread.
    ///
    /// On Linux it starts one for each handler, which takes as long as a short child itself. It asks for the handler when the child
    /// has ended and all that it has to say about that can be read. So the handler is called when it is asked for, on Foundation's
    /// thread for all children, which it must not hold up, and Foundation gets none to start a thread for. If it should once ask
    /// earlier, it gets the handler, and all is as in any other process.
    final class ThreadlessProcess: Process, @unchecked Sendable {
      // because Foundation's class is, and what is added has a lock.
      private let handler = Locked<(@Sendable (Process) -> Void)?>(nil)

      override var terminationHandler: (@Sendable (Process) -> Void)? {
        get {
          guard processIdentifier > 0, !isRunning else { return handler.withLock { $0 } }
          // The wait is over, and lets go of what would hold this for good.
          waitUntilExit()
          handler.withLock { $0.take() }?(self)
          return nil
        }
        set { handler.withLock { $0 = newValue } }
      }
    }
  #endif
#endif
