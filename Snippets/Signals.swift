import Foundation
import Taskig

/// Sends this program a signal, as others would do from outside.
func send(_ signal: Int32) {
  kill(getpid(), signal)
}

Task.async(delayBy: 4) { send(SIGUSR1) }
let signal = try ThrowableTask.nextSignal(SIGUSR1, SIGHUP).await(timeout: .seconds(10))
print(signal == SIGUSR1 ? "hello" : "hanging up")

// A signal and other work: the first that is done ends the wait for the other.
let work = ThrowableTask { "done" }.delay(for: .milliseconds(50))
let asked = ThrowableTask.nextSignal(SIGUSR2).map { "asked by signal \($0)" }
print(try [work, asked].awaitFirst())

func readSettings() {
  // One that comes just now is not missed.
  send(SIGHUP)
  print("reading the settings again")
}

let hangups = SignalWatch(SIGHUP)
send(SIGHUP)
for _ in 1...2 {
  try hangups.next.await()
  readSettings()
}
hangups.stop()

func copyEverything() throws {
  for number in 1...1_000 {
    try ThrowableTask { try Task.sleep(for: .milliseconds(10)) }.await()
    if number == 2 { send(SIGTERM) }
  }
}

do {
  try Task.cancelling(on: SIGINT, SIGTERM) { try copyEverything() }
} catch let error as CancelledBySignal {
  print("called off by signal", error.number)
}

// A body that has something to give all the same looks, and returns it.
let sum = try Task.cancelling(on: SIGINT, SIGTERM) { () -> Int in
  var sum = 0
  while !Task.isCancelled {
    sum += 1
    if sum == 1_000 { send(SIGTERM) }
  }
  return sum
}
print("counted up to then:", sum > 999)
