#if os(macOS) || os(Linux)
  import Foundation

  /// Writes what a child is to read, as fast as it does; used on the pump's thread only.
  final class ChildWriter {
    private let data: Data
    private let over: () -> Void
    private var written = 0
    /// `nil` when it is over: the child finds the end of its input when this is closed.
    private var descriptor: Descriptor?

    init(of data: Data, to descriptor: Descriptor, over: @escaping () -> Void) {
      descriptor.neverBlock()
      self.data = data
      self.over = over
      self.descriptor = descriptor
    }

    var isOver: Bool { descriptor == nil }

    func begin() {
      guard let descriptor, !data.isEmpty else { return stop() }
      Pump.shared.watch(descriptor, for: .writing) { [self] in write(to: descriptor) }
    }

    /// Writes no more.
    func stop() {
      guard let descriptor = descriptor.take() else { return }
      Pump.shared.unwatch(descriptor)
      over()
    }

    private func write(to descriptor: Descriptor) {
      switch data[(data.startIndex + written)...].withUnsafeBytes(descriptor.write) {
      case .bytes(let count): written += count
      case .later: return
      // Nobody reads any more, which is the child's affair: a shell does not mind either.
      case .over: written = data.count
      }
      if written == data.count { stop() }
    }
  }
#endif
