import Foundation
import Taskig

let nap = ThrowableTask<Int32> { completion in
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sleep")
  process.arguments = ["1000"]
  process.terminationHandler = { completion(.success($0.terminationStatus)) }
  do {
    try process.run()
    Task.onCancel { process.terminate() }
  } catch {
    completion(.failure(error))
  }
}

Task.async(delayBy: 0.1) { nap.cancel() }

do {
  try nap.await()
} catch {
  print(error.localizedDescription)
}
