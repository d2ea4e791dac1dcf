// error: does not conform to the 'Sendable' protocol
import Taskig

final class Counter {
  var count = 0
}

func share(_ task: ThrowableTask<Counter>) {
  _ = task.start()
}
