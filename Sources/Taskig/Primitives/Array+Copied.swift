extension Array {
  /// The same elements in a place of their own, to be handed out of a lock.
  ///
  /// The array itself would do: it is changed in place again only when nobody else has it. But ThreadSanitizer does not see how
  /// that is found out, and takes it for a race.
  func copied() -> [Element] { map { $0 } }
}
