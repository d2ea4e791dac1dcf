import Foundation

/// Whether `condition` comes true within ten seconds; for what another thread does a moment later and tells nobody.
func eventually(_ condition: () -> Bool) -> Bool {
  let end = Date(timeIntervalSinceNow: Machine.patience(10))
  while !condition(), Date() < end { Thread.sleep(forTimeInterval: 0.0005) }
  return condition()
}
