#if os(macOS) || os(Linux)
  import Foundation
  import Synchronization

  /// Starting a child through Foundation, with what has to be done around that.
  ///
  /// On Linux a child takes over which signals the thread that starts it blocks. Foundation's own threads, which wait for
  /// children, do so too, and stay: from then on they take signals that all other threads block, to be waited for with `sigwait`.
  /// A start that needs files where no more can be opened takes the one that is number 0 for
  /// its own, and closes it. And one that fails late, because a file is there but is no program, leaves two files open for good:
  /// they cannot be closed from here without hanging Foundation's thread.
  extension Process {
    /// Starts the child, which then leads a process group of its own and runs its program.
    ///
    /// Blocks until the system has loaded the program, about a millisecond; some more if the program has only just been written.
    /// To be called under a roof of `ChildStarters`: Foundation's files for one would be inherited by another.
    func start() throws {
      // A child that another thread starts holds all that is open here until it runs its program, also the file that this one is to
      // run, if that was being written at that moment. Then the file counts as being written still.
      for pause in [0.001, 0.003, 0.01, 0.03, 0.1, 0.3] {
        do {
          return try startNow()
        } catch  where SystemFault(behind: error)?.code == ETXTBSY {
          Thread.sleep(forTimeInterval: pause)
        }
      }
      try startNow()
    }

    private static let hasStarted = Atomic(false)

    private func startNow() throws {
      try Self.makeRoom()
      // A signal that all threads block comes through in this moment. The other way round, no child would ever hear it.
      try SignalMask.takingAll { try run() }
    }

    /// Sees to it that Foundation gets all files that it needs, and some more, since others open some at the same time; for the first
    /// child also those that it and Dispatch make for themselves, and without which they stop the program.
    ///
    /// A function of its own, since they have to be closed when it is over, and a constant may be kept until then.
    private static func makeRoom() throws {
      let first = try Descriptor.nothing()
      let count = hasStarted.load(ordering: .relaxed) ? 9 : 25
      let others = try (0..<count).map { _ in try first.copy(from: STDERR_FILENO + 1) }
      withExtendedLifetime(others) { hasStarted.store(true, ordering: .relaxed) }
    }
  }
#endif
