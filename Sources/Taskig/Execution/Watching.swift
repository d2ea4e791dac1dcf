import Synchronization

/// Whether runs are watched, and by whom: what an await asks first, so it is one question.
enum Watching {
  /// Those who may watch.
  struct Watchers: OptionSet {
    let rawValue: UInt8

    /// The ``Watchdog``, which looks at awaits.
    static let watchdog = Watchers(rawValue: 1)
    /// A ``TaskObserver``, which is told of all runs.
    static let observer = Watchers(rawValue: 2)
  }

  private static let bits = Atomic<UInt8>(0)
  /// Whether a thread is in the middle of telling the observer something.
  private final class Telling {
    var isOn = false
  }

  private static let telling = ThreadLocal { Telling() }
  private static let storedObserver = Locked<(any TaskObserver)?>(nil)

  /// Those who watch now.
  static var watchers: Watchers { Watchers(rawValue: bits.load(ordering: .relaxed)) }

  /// Whether anybody does.
  static var isOn: Bool { bits.load(ordering: .relaxed) != 0 }

  /// Notes whether `watcher` watches from now on.
  static func set(_ watcher: Watchers, _ isOn: Bool) {
    if isOn {
      bits.bitwiseOr(watcher.rawValue, ordering: .relaxed)
    } else {
      bits.bitwiseAnd(~watcher.rawValue, ordering: .relaxed)
    }
  }

  /// Whether the calling thread is in the middle of telling the observer something.
  static var isTelling: Bool { watchers.contains(.observer) && telling.value.isOn }

  /// Who is told what runs do; `nil` if nobody is.
  static var observer: (any TaskObserver)? {
    get { watchers.contains(.observer) ? storedObserver.withLock { $0 } : nil }
    set {
      let old = storedObserver.withLock { observer in
        defer { observer = newValue }
        set(.observer, newValue != nil)
        return observer
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Runs `body`, which tells the observer something.
  static func tellingObserver(_ body: () -> Void) {
    let here = telling.value
    let outer = here.isOn
    here.isOn = true
    defer { here.isOn = outer }
    body()
  }
}
