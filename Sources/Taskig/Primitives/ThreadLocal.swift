#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A slot with one object for each thread, made when a thread first asks and released when the thread ends.
///
/// Foundation's `Thread.current.threadDictionary` does the same for some hundred nanoseconds; this read takes five.
struct ThreadLocal<Object: AnyObject>: @unchecked Sendable {
  // because each thread sees only its own object.
  private let key: pthread_key_t
  private let make: () -> Object

  init(_ make: @escaping () -> Object) {
    var key = pthread_key_t()
    let failure = pthread_key_create(&key) { object in
      // Darwin hands the destructor a non-optional pointer, Linux an optional one.
      let object: UnsafeMutableRawPointer? = object
      if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
    guard failure == 0 else {
      fatalError("Taskig cannot get a thread-local slot: this process has used up its pthread keys.")
    }
    self.key = key
    self.make = make
  }

  /// The calling thread's object.
  var value: Object {
    @inline(__always) get {
      if let object = pthread_getspecific(key) {
        return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
      }
      return install()
    }
  }

  /// Runs `body` with the calling thread's object, which lives until the thread ends and so need not be retained for it.
  @inline(__always)
  func withValue<R>(_ body: (Object) -> R) -> R {
    guard let object = pthread_getspecific(key) else { return body(install()) }
    return Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef(body)
  }

  @inline(never)
  private func install() -> Object {
    let object = make()
    pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
    return object
  }
}
