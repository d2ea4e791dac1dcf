import Foundation
import Taskig

/// Runs a command: a callback function of Foundation's, wrapped. No thread is held while the command runs.
func run(_ command: String, _ arguments: String...) -> ThrowableTask<Int32> {
  ThrowableTask { completion in
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = arguments
    process.terminationHandler = { completion(.success($0.terminationStatus)) }
    do { try process.run() } catch { completion(.failure(error)) }
  }
}

print(try run("/bin/sh", "-c", "exit 3").await())
