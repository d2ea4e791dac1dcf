extension Waiter {
  /// Makes a hub, on which `parent` waits if there is one.
  convenience init(hubFor parent: Waiter? = nil) {
    self.init(
      parent: parent, outer: nil, servesOuter: false, canLend: false, watched: nil, wakeUp: nil)
  }

  /// Notes, under a number, that `other` waits for this hub from now on, and offers it what the hub waits for.
  func join(_ other: Waiter, as number: Int) {
    let wanted = state.withLock { state -> [any LentWork] in
      guard !state.isLeft else { return [] }
      state.joined.add(number, other)
      return state.wanted.filter(\.isOpen)
    }
    if !wanted.isEmpty { Self.offer(wanted, to: other) }
  }

  /// Notes that whoever joined under that number waits no more.
  func unjoin(_ number: Int) {
    let waiter = state.withLock { $0.joined.remove(number) }
    withExtendedLifetime(waiter) {}
  }

  /// Whether this hub's run cannot go on before `other` does, and neither gives up by itself.
  ///
  /// Only waits that nothing but an outcome ends count: whoever holds a queue can be lent, and a deadline ends a wait, or another
  /// task that is first. A circle of very many is not looked for: each join would cost as much as there are who wait.
  func needs(_ other: Waiter) -> Bool {
    var isFound = false
    var waitersToGo = 256
    visit(from: other) { waiter in
      isFound = isFound || waiter === self
      waitersToGo -= 1
      if isFound || waitersToGo < 0 || waiter.givesUp.load(ordering: .relaxed) { return [] }
      return waiter.state.withLock { state in
        state.isLeft ? [] : [state.parent, state.outer].compactMap { $0 } + state.joined.all
      }
    }
    return isFound
  }

  /// Notes that the wait may end before what it waits for does.
  func mayGiveUp() {
    givesUp.store(true, ordering: .relaxed)
  }
}
