extension Workers {
  /// Runs `body`, which may be or call the user's code and so may block, on a thread of ours, on nobody's behalf.
  func submit(_ urgency: Urgency = .normal, _ body: @escaping () -> Void) {
    submit(Job(on: nil, for: nil, in: nil, body), urgency)
  }
}
