/// Things by number, which grows from one to the next, or nearly so.
///
/// They lie in that order, so that one is found by bisection; what is taken out leaves a gap, and the gaps go when they are the
/// most. A dictionary was tried first: it costs more for the few that there are as a rule, and has to be sorted in the end.
struct Numbered<Element> {
  private var places: [(number: Int, element: Element?)] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The first of them.
  var first: Element? { places.first { $0.element != nil }?.element }

  /// All, in order.
  var all: [Element] {
    // A key path would be looked up by its name each time, in generic code.
    places.compactMap { $0.element }
  }

  /// Adds an element under a number that is higher than that of most, and that none has.
  mutating func add(_ number: Int, _ element: Element) {
    count += 1
    guard let last = places.last, last.number > number else { return places.append((number, element)) }
    places.insert((number, element), at: index(of: number))
  }

  /// Takes out what is under `number`, if it is there.
  ///
  /// - Complexity: O(log *n*) on average.
  @discardableResult
  mutating func remove(_ number: Int) -> Element? {
    let index = index(of: number)
    guard index < places.count, places[index].number == number, let element = places[index].element.take() else {
      return nil
    }
    count -= 1
    if count < places.count / 2 { places.removeAll { $0.element == nil } }
    return element
  }

  /// Where `number` is, or would be.
  private func index(of number: Int) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes all out, in order.
  mutating func takeAll() -> [Element] {
    defer { self = Numbered() }
    return all
  }
}
