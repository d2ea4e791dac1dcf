#if os(macOS) || os(Linux)
  import Foundation

  /// Starts children in the order in which they come, two at a time.
  ///
  /// Who starts one waits for most of the time, until the system has loaded the program, so one at a time is too few.
  ///
  /// On Linux two of Foundation's files for a child are such as other children inherit. Before it starts one, it looks for the
  /// highest number that a file has, and has the child close all up to that. What is opened for another child after that look
  /// must have a lower number. So each start holds a file further up, its roof, and another goes on at the same time only if what it
  /// opens comes beneath. Near the limit of files there is no roof, and each goes on alone: Foundation must not run out of them.
  final class ChildStarters: Sendable {
    private struct State {
      var line = FIFO<@Sendable () -> Void>()
      var resting = (0..<2).map { DispatchQueue(label: "taskig.starter.\($0)") }
      /// The numbers of the roofs that are up, 0 for that of a start that goes on alone.
      var roofs: [Int32] = []
      /// Whether a start waits for another to be over.
      var isWaiting = false
    }

    /// More files than two starts have open at once.
    private static let room = 26
    /// Some more, since others open files too meanwhile; Foundation takes about a microsecond for each.
    private static let height: Int32 = 10
    /// How many numbers are looked at; each takes a fraction of a microsecond.
    private static let mostLooks: Int32 = 2_000

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
      var raised = raiseRoof()
      while raised == nil {
        oneIsOver.wait()
        raised = raiseRoof()
      }
      withExtendedLifetime(raised) { start() }
      let isAwaited = state.withLock { state in
        if let index = state.roofs.firstIndex(of: raised?.number ?? 0) { state.roofs.remove(at: index) }
        defer { state.isWaiting = false }
        return state.isWaiting
      }
      if isAwaited { oneIsOver.signal() }
    }

    /// What keeps others' files down: a file, or the knowledge that there are no others.
    private struct Roof {
      let file: Descriptor?
      var number: Int32 { file?.number ?? 0 }
    }

    /// A roof for a start that may go on now; `nil` if it has to wait for another.
    private func raiseRoof() -> Roof? {
      let (top, roof) = Self.lookUp()
      return state.withLock { state in
        guard state.roofs.allSatisfy({ top < $0 }) else {
          state.isWaiting = true
          return nil
        }
        state.roofs.append(roof.number)
        return roof
      }
    }

    /// The highest number that the files of two starts would get, and a roof above that, if there is room for one.
    ///
    /// The numbers that are free may lie far apart, so they are counted. To open the files in question would tell too, but another
    /// start would find no files meanwhile where few are left.
    private static func lookUp() -> (top: Int32, roof: Roof) {
      let alone = (top: Int32.max, roof: Roof(file: nil))
      guard let lowest = try? Descriptor.nothing() else { return alone }
      var (top, free) = (lowest.number, 1)
      while free < room {
        top += 1
        guard top < Descriptor.limit, top - lowest.number < mostLooks else { return alone }
        if !Descriptor.isOpen(top) { free += 1 }
      }
      guard let roof = try? lowest.copy(from: top + height) else { return alone }
      return (top, Roof(file: roof))
    }
  }
#endif
