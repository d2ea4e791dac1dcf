/// Things by number, a later one's always higher; there is seldom more than one, which costs no allocation.
struct Numbered<Element> {
  private var one: (number: Int, element: Element)?
  private var others: [Int: Element] = [:]

  var isEmpty: Bool { one == nil && others.isEmpty }

  mutating func add(_ number: Int, _ element: Element) {
    if one == nil { one = (number, element) } else { others[number] = element }
  }

  @discardableResult
  mutating func remove(_ number: Int) -> Element? {
    guard one?.number == number else { return others.removeValue(forKey: number) }
    return one.take()?.element
  }

  /// All, in the order of their numbers.
  var all: [Element] {
    guard !others.isEmpty else { return one.map { [$0.element] } ?? [] }
    return (others.map { ($0.key, $0.value) } + [one].compactMap { $0 }).sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Takes all out, in the order of their numbers.
  mutating func takeAll() -> [Element] {
    defer { self = Numbered() }
    return all
  }
}
