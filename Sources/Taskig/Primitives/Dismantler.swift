/// Lets go of things that hold one another, one by one.
///
/// An object that is let go of lets go of what it holds, that of what it holds in turn, and each needs a piece of the stack. Objects
/// that may form long chains, through closures too, hand over in `deinit` what they hold, and the first of them on a thread sees to
/// the rest in a loop.
final class Dismantler {
  private static let slot = ThreadLocal { Dismantler() }

  private var things: [Any] = []
  private var isBusy = false

  /// Lets go of `thing`, now or when the thread comes to it; the caller must not hold it either, not even in a local constant.
  static func letGo(of thing: consuming Any) {
    let dismantler = slot.value
    dismantler.things.append(consume thing)
    if dismantler.isBusy { return }
    dismantler.isBusy = true
    defer { dismantler.isBusy = false }
    dismantler.goOn()
  }

  /// Lets go of all that the calling thread has not come to: before it blocks, which what it lets go of may have to end.
  static func finish() {
    slot.value.goOn()
  }

  private func goOn() {
    while let thing = things.popLast() { withExtendedLifetime(thing) {} }
  }
}
