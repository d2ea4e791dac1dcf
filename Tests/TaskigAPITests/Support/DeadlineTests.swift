import Testing

/// That a test which hangs fails, by name, instead of stopping the run without a word.
@Suite struct DeadlineTests {
  @Test func `a body that does not end in time fails by name`() async throws {
    let gate = Gate()
    let error = await #expect(throws: DeadlineExceeded.self) {
      try await withDeadline("a hang", seconds: 0.01) { gate.pass() }
    }
    gate.open()
    #expect(error?.name == "a hang")
    #expect(error?.description.contains("“a hang” had not ended after 0.01 s") == true)
  }

  @Test func `a body that ends in time hands on what it returns or throws`() async throws {
    #expect(try await withDeadline("a value") { 42 } == 42)
    await #expect(throws: Failure.broken) { try await withDeadline("an error") { throw Failure.broken } }
  }
}
