#if os(macOS) || os(Linux)
  import Foundation

  /// Reads one output stream of a child, as it comes; used on the pump's thread only.
  final class ChildReader {
    /// How much of the end is kept for an error.
    static let tailLength = 2_048

    /// More than any pipe holds.
    private static let mostInPipe = 1 << 20

    private let descriptor: Descriptor
    /// Runs a closure on a worker, and then another on the pump's thread.
    private let dispatch: (@escaping @Sendable () -> Void, @escaping () -> Void) -> Void
    private let over: () -> Void
    private var receiver: (@Sendable (String) -> Void)?
    private var isCaptured: Bool
    private var splitter = LineSplitter()

    private(set) var data = Data()
    private(set) var tail: [UInt8] = []
    private(set) var isOver = false
    /// Whether the stream has been read to its end.
    private(set) var isComplete = false
    /// How much more may be read, once nobody waits for the stream's end any more.
    private var allowance: Int?
    /// Whether a worker has lines of it.
    private var isAway = false

    init(
      of descriptor: Descriptor, to destination: ChildProcessDestination,
      dispatch: @escaping (@escaping @Sendable () -> Void, @escaping () -> Void) -> Void, over: @escaping () -> Void
    ) {
      descriptor.neverBlock()
      self.descriptor = descriptor
      self.dispatch = dispatch
      self.over = over
      if case .lines(let receiver) = destination { self.receiver = receiver }
      isCaptured = receiver == nil
    }

    func begin() {
      Pump.shared.watch(descriptor, for: .reading) { [self] in read() }
    }

    /// Goes on reading for the child's sake alone.
    func becomeDeaf() {
      receiver = nil
      isCaptured = false
      data = Data()
    }

    /// Reads what is there, and no more.
    func cutOff() {
      guard !isOver, allowance == nil else { return }
      allowance = Self.mostInPipe
      if !isAway { read() }
    }

    private func read() {
      repeat {
        if let allowance, allowance <= 0 { return end(complete: false) }
        let scratch = Pump.shared.scratch
        switch descriptor.read(into: scratch) {
        case .bytes(let count): take(scratch[..<count])
        case .later: if allowance != nil { end(complete: false) }
        case .over: end(complete: true)
        }
      } while allowance != nil && !isAway && !isOver
    }

    private func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
      if let allowance { self.allowance = allowance - bytes.count }
      tail += bytes.suffix(Self.tailLength)
      if tail.count > Self.tailLength { tail.removeFirst(tail.count - Self.tailLength) }
      let bytes = UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(bytes.base)[bytes.startIndex..<bytes.endIndex])
      if isCaptured { data.append(contentsOf: bytes) }
      guard let receiver else { return }
      let lines = splitter.add(bytes)
      if !lines.isEmpty { hand(lines, to: receiver) { [self] in goOn() } }
    }

    /// Has a worker hand the lines on; the stream is not read meanwhile.
    private func hand(
      _ lines: [String], to receiver: @escaping @Sendable (String) -> Void, then next: @escaping () -> Void
    ) {
      isAway = true
      Pump.shared.unwatch(descriptor)
      let receive = { @Sendable in
        for line in lines where !Task.isCancelled { receiver(line) }
      }
      dispatch(receive) { [self] in
        isAway = false
        next()
      }
    }

    private func goOn() {
      if allowance == nil { begin() } else { read() }
    }

    private func end(complete: Bool) {
      guard !isOver else { return }
      let last = splitter.takeLast()
      if let receiver, !last.isEmpty { return hand(last, to: receiver) { [self] in end(complete: complete) } }
      Pump.shared.unwatch(descriptor)
      isComplete = complete
      isOver = true
      over()
    }
  }
#endif
