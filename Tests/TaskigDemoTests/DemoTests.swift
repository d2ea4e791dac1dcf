import Testing

/// All tests of the demo.
///
/// They block while a child runs, so they take turns and leave the rest of the pool to others.
@Suite(.serialized, .ahead)
enum DemoTests {}

/// Has a suite run ahead of the other tests, on threads that the system keeps for what is urgent: its tests take turns, and would
/// otherwise wait for all others each time.
struct AheadTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await Task(priority: .high) { try await function() }.value
    }
  }
}

extension Trait where Self == AheadTrait {
  static var ahead: Self { AheadTrait() }
}
