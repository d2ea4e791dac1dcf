/// How the wait for a run ends.
@usableFromInline
enum Ending<Outcome> {
  case outcome(Outcome)
  /// The action let go of its completion without calling it.
  case lost
  case interrupted(Interruption)
}

/// What ends a wait before there is an outcome.
@usableFromInline
enum Interruption {
  case cancelled
  case timedOut
}
