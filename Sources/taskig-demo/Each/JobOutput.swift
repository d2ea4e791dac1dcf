import Foundation

/// What one job writes, on its way from the job to our streams; from any thread.
final class JobOutput: Sendable {
  private struct State {
    var output: Spool
    var errors: Spool
    var attempt = 0
    /// Whether all goes through at once.
    var isOpen = false
    var hasEnded = false
    /// Whether the last line of the errors lacks its end.
    var breaksOff = false

    subscript(_ stream: JobStream) -> Spool {
      get { stream == .output ? output : errors }
      _modify {
        switch stream {
        case .output: yield &output
        case .errors: yield &errors
        }
      }
    }
  }

  /// The job's place in the order of the arguments.
  let number: Int

  private let store: SpoolStore
  private let printer: JobPrinter
  private let state: Guarded<State>

  /// - Parameter limit: How many bytes of each stream are wanted.
  init(number: Int, limit: Int = .max, in store: SpoolStore, for printer: JobPrinter) {
    (self.number, self.store, self.printer) = (number, store, printer)
    state = Guarded(State(output: Spool(in: store, limit: limit), errors: Spool(in: store, limit: limit)))
  }

  /// Begins another try, and forgets what the one before has written; what still comes from that goes nowhere.
  func beginAttempt() -> Int {
    state.withLock { state in
      state.attempt += 1
      state.output.clear()
      state.errors.clear()
      state.breaksOff = false
      return state.attempt
    }
  }

  /// Ends the try: what still comes from it goes nowhere.
  func endAttempt() { state.withLock { $0.attempt += 1 } }

  /// Forgets what has not been printed: the job has been called off.
  func drop() { _ = beginAttempt() }

  /// Takes what a try has written.
  func append(_ bytes: Data, to stream: JobStream, in attempt: Int) throws {
    try state.withLock { state in
      if state.attempt == attempt { try add(bytes, to: stream, &state) }
    }
  }

  /// Adds a line of our own.
  func appendLine(_ line: String) throws {
    try state.withLock { state in
      if state.isOpen { try printer.endLine() }
      try add(Data("\(state.breaksOff ? "\n" : "")\(line)\n".utf8), to: .errors, &state)
    }
  }

  /// Puts a record of what the job has written in its place.
  func replace(by record: (_ output: Data, _ errors: Data, _ isTruncated: Bool) throws -> Data) throws {
    try state.withLock { state in
      let isTruncated = state.output.isTruncated || state.errors.isTruncated
      let line = try record(state.output.takeAll(), state.errors.takeAll(), isTruncated)
      (state.output, state.errors) = (Spool(in: store), Spool(in: store))
      state.breaksOff = false
      try state.output.append(line)
    }
  }

  /// Prints what is there, and from now on at once what comes.
  func open() throws {
    try state.withLock { state in
      state.isOpen = true
      for stream in [JobStream.output, .errors] {
        try state[stream].drain { try printer.write($0, to: stream) }
        if state.hasEnded { try printer.endLine() }
      }
    }
  }

  /// Says that the job has ended; until it is opened, few of the system's resources are held.
  func seal() {
    state.withLock { state in
      state.hasEnded = true
      state.output.seal()
      state.errors.seal()
    }
  }

  private func add(_ bytes: Data, to stream: JobStream, _ state: inout State) throws {
    if stream == .errors, let last = bytes.last { state.breaksOff = last != UInt8(ascii: "\n") }
    if state.isOpen { try printer.write(bytes, to: stream) } else { try state[stream].append(bytes) }
  }
}
