extension Waiter {
  /// Makes a hub, on which `parent` waits if there is one.
  convenience init(hubFor parent: Waiter? = nil) {
    self.init(
      parent: parent, outer: nil, servesOuter: false, canLend: false, servesMainQueue: false,
      watched: parent?.watched,
      parking: nil)
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
    var waitersToGo = 256
    var next = other
    // As a rule one waits for the next. Only where several do, a list is kept of them.
    while next !== self, waitersToGo > 0, let only = next.onlyFollower {
      next = only
      waitersToGo -= 1
    }
    var isFound = false
    visit(from: next) { waiter in
      isFound = isFound || waiter === self
      waitersToGo -= 1
      return isFound || waitersToGo < 0 ? [] : waiter.followers
    }
    return isFound
  }

  /// Those that cannot go on before this one does.
  private var followers: [Waiter] {
    if givesUp.load(ordering: .relaxed) { return [] }
    return state.withLock { state in
      state.isLeft ? [] : [state.parent, state.outer].compactMap { $0 } + state.joined.all
    }
  }

  /// The only one of those; `nil` if there are none or several.
  private var onlyFollower: Waiter? {
    if givesUp.load(ordering: .relaxed) { return nil }
    return state.withLock { state in
      guard !state.isLeft else { return nil }
      switch (state.parent, state.outer, state.joined.count) {
      case (let waiter?, nil, 0), (nil, let waiter?, 0): return waiter
      case (nil, nil, 1): return state.joined.first
      default: return nil
      }
    }
  }

  /// Notes that the wait may end before what it waits for does.
  func mayGiveUp() {
    givesUp.store(true, ordering: .relaxed)
  }
}
