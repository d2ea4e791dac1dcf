import Dispatch
import Foundation
import Taskig

/// A program that runs as a child of this one; awaiting it gives what it wrote and how it ended.
///
/// It becomes a task by its one method. No thread waits for a child while it runs: one reads the streams of
/// all children, and Foundation calls back when one ends.
struct ChildProcess: ThrowableTaskType {
  /// How a child ended.
  enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// What a child left behind.
  struct Output {
    let ending: Ending
    let output: Data
    let errors: Data
  }

  let program: String
  let arguments: [String]

  init(_ program: String, _ arguments: String...) {
    self.program = program
    self.arguments = arguments
  }

  func action(completion: @escaping @Sendable (TaskResult<Output>) -> Void) {
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors

    // Three things have to end, in any order: both streams and the child.
    let everything = DispatchGroup()
    let ending = Guarded(Ending.exit(0))
    everything.enter()
    process.terminationHandler = { process in
      let status = process.terminationStatus
      ending.withLock { $0 = process.terminationReason == .exit ? .exit(status) : .signal(status) }
      everything.leave()
    }
    do {
      try process.run()
    } catch {
      everything.leave()
      completion(.failure(error))
      return
    }
    // A child that finds a pipe full stops until somebody reads from it, so both are read from now on.
    let (written, complaints) = (Guarded(Data()), Guarded(Data()))
    for (pipe, result) in [(output, written), (errors, complaints)] {
      everything.enter()
      PipePump.shared.drain(pipe) { data in
        result.withLock { $0 = data }
        everything.leave()
      }
    }
    everything.notify(queue: .global()) {
      let output = Output(ending: ending.current, output: written.current, errors: complaints.current)
      completion(.success(output))
    }
  }
}
