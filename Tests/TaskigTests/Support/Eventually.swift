import Foundation

/// Whether `condition` comes true within half a minute; for what another thread does a moment later and tells nobody.
func eventually(_ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(Machine.patience(30))
  while !condition(), ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.0005) }
  return condition()
}
