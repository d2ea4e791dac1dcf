/// What takes a trace, item by item, one call after the other.
protocol TraceWriter: Sendable {
  func write(_ item: TraceItem)

  /// Writes what is left.
  func close() throws
}
