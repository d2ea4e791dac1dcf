import Dispatch
import Foundation

/// Ends the child process of an exit test with 99 if it has not ended within `seconds`, so that what hangs fails.
func exitLate(after seconds: Double = 60) {
  DispatchQueue.global().asyncAfter(deadline: .now() + Machine.patience(seconds)) { exit(99) }
}
