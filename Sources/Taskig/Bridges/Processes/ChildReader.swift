#if os(macOS) || os(Linux)
  import Foundation

  /// Reads one output stream of a child, as it comes; used on the pump's thread only.
  final class ChildReader {
    /// How much of the end is kept for an error.
    static let tailLength = 2_048

    /// More than any pipe holds.
    private static let mostInPipe = 1 << 20

    private enum Hearer {
      case lines(@Sendable (String) -> Void)
      case bytes(@Sendable (Data) -> Void)
    }

    private let descriptor: Descriptor
    /// Runs a closure on a worker, and then another on the pump's thread.
    private let dispatch: (@escaping @Sendable () -> Void, @escaping () -> Void) -> Void
    private let over: () -> Void
    /// `nil` if nobody hears what comes.
    private var hearer: Hearer?
    private var isCaptured: Bool
    private var splitter = LineSplitter()

    private(set) var data = Data()
    private(set) var tail: [UInt8] = []
    private(set) var isOver = false
    /// Whether the stream has been read to its end.
    private(set) var isComplete = false
    /// How much more may be read, once nobody waits for the stream's end any more.
    private var allowance: Int?
    /// Whether a worker has a part of it.
    private var isAway = false

    init(
      of descriptor: Descriptor, to destination: ChildProcessDestination,
      dispatch: @escaping (@escaping @Sendable () -> Void, @escaping () -> Void) -> Void, over: @escaping () -> Void
    ) {
      descriptor.neverBlock()
      self.descriptor = descriptor
      self.dispatch = dispatch
      self.over = over
      switch destination {
      case .lines(let receive): hearer = .lines(receive)
      case .bytes(let receive): hearer = .bytes(receive)
      case .captured, .inherited, .discarded: break
      }
      isCaptured = hearer == nil
    }

    func begin() {
      Pump.shared.watch(descriptor, for: .reading) { [self] in read() }
    }

    /// Goes on reading for the child's sake alone.
    func becomeDeaf() {
      hearer = nil
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
        case .bytes(let count): take(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        case .later: if allowance != nil { end(complete: false) }
        case .over: end(complete: true)
        }
      } while allowance != nil && !isAway && !isOver
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
      if let allowance { self.allowance = allowance - bytes.count }
      tail += UnsafeRawBufferPointer(rebasing: bytes.suffix(Self.tailLength))
      if tail.count > Self.tailLength { tail.removeFirst(tail.count - Self.tailLength) }
      if isCaptured { data.append(bytes.bindMemory(to: UInt8.self)) }
      switch hearer {
      case .lines(let receive): hand(splitter.add(bytes), to: receive) { [self] in goOn() }
      case .bytes(let receive):
        hand([Data(bytes: bytes.baseAddress!, count: bytes.count)], to: receive) { [self] in goOn() }
      case nil: break
      }
    }

    /// Has a worker hand the pieces on, if there are any; the stream is not read meanwhile.
    private func hand<Piece: Sendable>(
      _ pieces: [Piece], to receiver: @escaping @Sendable (Piece) -> Void, then next: @escaping () -> Void
    ) {
      if pieces.isEmpty { return }
      isAway = true
      Pump.shared.unwatch(descriptor)
      let receive = { @Sendable in
        for piece in pieces where !Task.isCancelled { receiver(piece) }
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
      if case .lines(let receive) = hearer, !last.isEmpty {
        return hand(last, to: receive) { [self] in end(complete: complete) }
      }
      Pump.shared.unwatch(descriptor)
      isComplete = complete
      isOver = true
      over()
    }
  }
#endif
