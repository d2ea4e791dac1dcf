extension Waiter {
  /// Offers `work`, for which this await waits, to all whose threads may be where it must be done: to those that wait for this
  /// one in turn and, if `here`, to this one.
  func offer(_ work: any LentWork, here: Bool) {
    Self.offer([work], to: self, skipping: here ? nil : self)
  }

  /// Notes that `other` waits for this one, and for those around it up to `outermost`, since they hold the queue on which `work`,
  /// which is for `other`, is in line.
  ///
  /// Then it waits for all that they wait for, until that has its turn. It does not wait for one that waits for it in turn, whose
  /// thread is just lent to it.
  ///
  /// - Returns: Whether it has been lent to that just now, which shows soon.
  func block(_ other: Waiter, by work: any QueuedWork, upTo outermost: Waiter?) -> Bool {
    var next: Waiter? = self
    while let waiter = next, waiter !== outermost {
      if waiter.waits(for: other) { return waiter.take(work) }
      let (wanted, outer) = waiter.state.withLock { state -> ([any LentWork], Waiter?) in
        guard !state.isLeft, !state.blocked.contains(where: { $0.work === work }) else { return ([], state.outer) }
        state.blocked.removeAll { !$0.work.isOpen }
        state.blocked.append(Blockage(waiter: other, work: work))
        return (state.wanted.filter(\.isOpen), state.outer)
      }
      if !wanted.isEmpty { Self.offer(wanted, to: other) }
      next = outer
    }
    return false
  }

  /// Whether this await waits for what `first` waits for, as things are.
  func waits(for first: Waiter) -> Bool {
    var isFound = false
    visit(from: first) { waiter in
      isFound = isFound || waiter === self
      return isFound ? [] : waiter.dependents
    }
    return isFound
  }

  /// Those that wait for this one: the one for whose work its thread is there, the one further out on that thread, which goes on
  /// only after this one, and those in line for what the thread holds.
  private var dependents: [Waiter] {
    state.withLock { state in
      // Who has gone on hands on nothing: those who wait for it do not wait for this.
      guard !state.isLeft else { return [] }
      return [state.parent, state.outer].compactMap { $0 } + state.joined.all
        + state.blocked.filter(\.work.isOpen).map(\.waiter)
    }
  }

  /// Makes offers to `first` and to all that wait for it, as things are; each looks again before it takes one.
  ///
  /// It does not reach those beyond a long chain of hubs, each of which waits for the next: then each offer would cost as much as
  /// the chain is long. Who stands beyond and holds the queue is found when that has stood still for a moment.
  static func offer(_ works: [any LentWork], to first: Waiter, skipping own: Waiter? = nil) {
    // What lasts stands in no line, so nobody would find it there.
    var hubsToGo = works.contains(where: \.isLasting) ? Int.max : 64
    visit(from: first) { waiter in
      waiter.take(works, butOnlyHandOn: waiter === own)
      if waiter.isHub { hubsToGo -= 1 }
      return hubsToGo > 0 ? waiter.dependents : []
    }
  }

  /// Takes offers, unless the thread goes on already.
  private func take(_ works: [any LentWork], butOnlyHandOn: Bool) {
    let isOffered = state.withLock { state -> Bool in
      guard !state.isLeft else { return false }
      for work in works { state.want(work) }
      // Who is still busy with what it was lent to hands on, but cannot do them itself.
      guard canLend, !butOnlyHandOn, !isOver else { return false }
      let offers = works.filter(canTake)
      for work in offers { state.offer(work) }
      return !offers.isEmpty
    }
    if isOffered { wake() }
  }

  /// What lasts is to serve the main queue.
  private func canTake(_ work: any LentWork) -> Bool { !work.isLasting || servesMainQueue }

  /// Takes an offer, unless it has come this far before; returns whether it did.
  private func take(_ work: any LentWork) -> Bool {
    let isKnown = state.withLock { $0.wantedOnes.contains(ObjectIdentifier(work)) }
    if !isKnown { take([work], butOnlyHandOn: false) }
    return !isKnown
  }
}
