#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the process does on a signal, as the system keeps it: the default, nothing, or a handler.
struct SignalDisposition {
  typealias Handler = @convention(c) (Int32) -> Void

  private var action: sigaction

  /// The one that holds now for the signal `number`; `nil` if that is no signal.
  init?(of number: Int32) {
    action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return nil }
  }

  /// The one that each signal has unless somebody says otherwise.
  static var standard: SignalDisposition { SignalDisposition() }

  private init() {
    action = sigaction()
  }

  /// One that calls `handler`, which may do only what a signal handler may.
  ///
  /// System calls that the signal interrupts go on where they can. A program that is started from here, unlike one that is
  /// started where a signal is ignored, does by default what it always does.
  init(_ handler: @escaping Handler) {
    action = sigaction()
    sigemptyset(&action.sa_mask)
    action.sa_flags = Int32(SA_RESTART)
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
  }

  private var address: Int {
    #if canImport(Darwin)
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #elseif canImport(Musl)
      unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self)
    #else
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
  }

  /// Whether the signal has no effect.
  var isIgnored: Bool { address == 1 }

  /// Whether it calls what `other` does.
  func calls(the other: SignalDisposition) -> Bool { address == other.address }

  /// Makes this hold for the signal `number`; `false` if the system does not let it.
  @discardableResult
  func install(for number: Int32) -> Bool {
    var action = action
    return sigaction(number, &action, nil) == 0
  }

  /// Sends the signal `number` to the process, which does with it what holds then.
  static func raise(_ number: Int32) {
    kill(getpid(), number)
  }
}
