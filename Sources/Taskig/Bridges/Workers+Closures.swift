extension Workers {
  /// Runs `body`, which may be or call the user's code and so may block, on a thread of ours that is brought for it if none is free.
  func runUrgently(_ body: @escaping @Sendable () -> Void) {
    submit(Job(on: nil, for: nil, in: nil, body), .urgent)
  }
}
