/// How much of a response's body has come.
public struct TransferProgress: Sendable, Equatable {
  /// The bytes that have come so far.
  public let received: Int64

  /// The bytes that will have come in the end; `nil` if the server does not say, or if they come compressed.
  public let expected: Int64?

  /// Makes a progress of so many bytes.
  public init(received: Int64, expected: Int64? = nil) {
    self.received = received
    self.expected = expected
  }

  /// How much that is of the whole, from 0 to 1; `nil` if it is not known how much will come.
  public var fraction: Double? {
    guard let expected, expected >= received else { return nil }
    return expected == 0 ? 1 : Double(received) / Double(expected)
  }
}
