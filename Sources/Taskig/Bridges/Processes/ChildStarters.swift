#if os(macOS) || os(Linux)
  import Foundation

  /// Starts children in the order in which they come, two at a time.
  ///
  /// Who starts one waits for most of the time, until the system has loaded the program, so one at a time is too few.
  ///
  /// On Linux two of Foundation's files for a child are such as other children inherit. Before it starts one, it looks for the
  /// highest number that a file has, and has the child close all up to that. What is opened for another child after that look
  /// must have a lower number. So each start holds a file further up, its roof, and another goes on at the same time only if it has
  /// room beneath. Near the limit of files there is no roof, and each goes on alone: Foundation must not run out of them.
  final class ChildStarters: Sendable {
    private struct State {
      var line = FIFO<@Sendable () -> Void>()
      var resting = (0..<2).map { DispatchQueue(label: "taskig.starter.\($0)") }
      /// The numbers of the roofs that are up, 0 for none.
      var roofs: [Int32] = []
      /// Whether a start waits for another to be over.
      var isWaiting = false
    }

    /// More files than two starts have open at once.
    private static let room: Int32 = 26
    /// Some more, since more than one may come and go while another goes on; Foundation takes about a microsecond for each.
    private static let height: Int32 = 36

    static let shared = ChildStarters()

    private let state = Locked(State())
    private let oneIsOver = DispatchSemaphore(value: 0)

    private init() {}

    /// Has `start`, which opens all that is open for the child and starts it, run on a queue for that.
    func submit(_ start: @escaping @Sendable () -> Void) {
      let queue = state.withLock { state in
        state.line.append(start)
        return state.resting.popLast()
      }
      if let queue { queue.async { [self] in work(on: queue) } }
    }

    private func work(on queue: DispatchQueue) {
      while let start = next(orRest: queue) { underRoof(start) }
    }

    private func next(orRest queue: DispatchQueue) -> (@Sendable () -> Void)? {
      state.withLock { state in
        if let start = state.line.popFirst() { return start }
        state.resting.append(queue)
        return nil
      }
    }

    private func underRoof(_ start: () -> Void) {
      // The number is the lowest that is free.
      let ground = try? Descriptor.nothing()
      let roof = ground.flatMap { try? $0.copy(from: $0.number + Self.height) }
      let number = roof?.number ?? 0
      while !goesOn(from: ground?.number ?? 0, to: number) { oneIsOver.wait() }
      withExtendedLifetime(roof) { start() }
      let isAwaited = state.withLock { state in
        if let index = state.roofs.firstIndex(of: number) { state.roofs.remove(at: index) }
        defer { state.isWaiting = false }
        return state.isWaiting
      }
      if isAwaited { oneIsOver.signal() }
    }

    private func goesOn(from ground: Int32, to roof: Int32) -> Bool {
      state.withLock { state in
        let hasRoom = roof > 0 || state.roofs.isEmpty
        guard hasRoom, state.roofs.allSatisfy({ ground + Self.room <= $0 }) else {
          state.isWaiting = true
          return false
        }
        state.roofs.append(roof)
        return true
      }
    }
  }
#endif
