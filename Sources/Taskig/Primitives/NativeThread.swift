import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A thread of our own, started by hand.
///
/// Foundation's `Thread` does not say when the system refuses another thread. Whoever asked for it then waits for a thread
/// that never comes, where it could go on with those it has.
enum NativeThread {
  /// Room for some thousand awaits nested in one another; only what is used is ever backed by memory.
  private static let stackSize = 8 << 20

  private final class Start {
    let name: String
    let body: () -> Void

    init(_ name: String, _ body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      Thread.current.name = name
      body()
    }
  }

  /// Runs `body` on a new thread; `false` if the system gives no more threads.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    let start = Unmanaged.passRetained(Start(name, body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(&thread, &attributes, entry, start.toOpaque())
    if failure != 0 { start.release() }
    return failure == 0
  }

  #if canImport(Darwin)
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { enter($0) }
  #else
    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { enter($0) }
  #endif

  private static func enter(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let start { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().run() }
    return nil
  }
}
