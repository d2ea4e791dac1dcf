/// One part of the tour, about one thing that the library does.
protocol Chapter {
  var title: String { get }

  /// Shows it: does real work, says what it does and what came back, and checks that.
  func run(on stage: Stage) throws
}
