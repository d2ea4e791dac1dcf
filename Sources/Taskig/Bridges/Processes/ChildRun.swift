#if os(macOS) || os(Linux)
  import Foundation

  /// One child, from its start to its end.
  ///
  /// The child and its streams have to end, in any order. They do so on the pump's thread.
  ///
  /// Foundation's `Process` starts and reaps the child, but it is not waited for. On Linux it learns of an end by a socket that
  /// the child's own children inherit, so it tells only when the last of them has ended. So the end is looked for here, which
  /// takes nothing away from Foundation, whose word counts only if it was told first. Its pipes are not used either: they do not
  /// say when no more files can be opened.
  final class ChildRun: @unchecked Sendable {
    // because what changes is touched only on the queue that starts the child, until the pump takes over.
    private let plan: ChildPlan
    private let group: ChildGroup
    /// There until it has been called: a child may end as it is called off.
    private let completion: Locked<(@Sendable (TaskResult<ChildProcessOutput>) -> Void)?>
    /// Who waits for the run, and what calls it off: the closures that get its lines are a part of it.
    private let waiter = ThreadContext.current.waiterForHandedOn
    private let scope = ThreadContext.current.scope

    private var reader: ChildReader?
    private var errorReader: ChildReader?
    private var writer: ChildWriter?
    private var isAttended = false
    private var ending: ChildProcessEnding?
    private var lingerTimer: Delay?

    private var readers: [ChildReader] { [reader, errorReader].compactMap { $0 } }

    init(of plan: ChildPlan, _ completion: @escaping @Sendable (TaskResult<ChildProcessOutput>) -> Void) {
      self.plan = plan
      self.completion = Locked(completion)
      group = ChildGroup(grace: plan.grace)
    }

    /// Has the child started, on a queue for that.
    func start() {
      guard case .file(let path) = plan.input else { return start(reading: nil) }
      // To open a named pipe, for one, is to wait for somebody else: here that holds up no other child.
      Workers.shared.submit { [self] in
        reportingFailure { start(reading: try plan.asking(path) { try Descriptor(reading: path) }) }
      }
    }

    private func start(reading file: Descriptor?) {
      ChildStarters.shared.submit { [self] in
        guard !group.isCalledOff else { return group.noteOver() }
        reportingFailure { try launch(reading: file) }
      }
    }

    /// Does a part of starting the child, and says so if that fails.
    private func reportingFailure(_ body: () throws -> Void) {
      do {
        try body()
      } catch {
        letGo()
        group.noteOver()
        handOver(.failure(error))
      }
    }

    private func launch(reading file: Descriptor?) throws {
      let process = try plan.makeProcess()
      try ask { try Pump.shared.start() }
      let streams = try makeStreams(reading: file)
      let handles = streams.map { FileHandle(fileDescriptor: $0.number, closeOnDealloc: false) }
      (process.standardInput, process.standardOutput, process.standardError) = (handles[0], handles[1], handles[2])
      process.terminationHandler = { [self] process in
        let ending = ChildProcessEnding(of: process)
        Pump.shared.perform { [self] in noteEnd(ending) }
      }
      do {
        try withExtendedLifetime(streams) {
          try plan.asking(process.executableURL?.path ?? plan.program) { try process.start() }
        }
      } catch {
        // Foundation may keep it for good.
        process.terminationHandler = nil
        throw error
      }
      group.begin(process.processIdentifier)
      Pump.shared.perform { [self] in attend(process) }
    }

    /// Hands the result over where what goes on with it, which is the user's, may take as long as it likes.
    private func handOver(_ result: TaskResult<ChildProcessOutput>) {
      Workers.shared.submit(Job(on: nil, for: waiter, in: nil) { [self] in complete(with: result) }, .urgent)
    }

    private func complete(with result: TaskResult<ChildProcessOutput>) {
      completion.withLock { $0.take() }?(result)
    }

    /// Lets go of the streams, which hold on to this.
    private func letGo() {
      (reader, errorReader, writer) = (nil, nil, nil)
    }

    /// Ends the child and all that belongs to it; from any thread.
    func callOff() {
      group.callOff()
      complete(with: .failure(CancellableTaskError.taskWasCancelled))
      Pump.shared.perform { [self] in
        if isAttended { becomeDeaf() }
      }
    }

    /// Keeps nothing of what comes, but reads on: what is ended may have something to write before.
    private func becomeDeaf() {
      for reader in readers { reader.becomeDeaf() }
    }

    /// What the child has for its streams, which may be closed here once it runs; the pipes' other ends are ours.
    private func makeStreams(reading file: Descriptor?) throws -> [Descriptor] {
      let input: Descriptor
      switch plan.input {
      case .file, .nothing: input = try file ?? ask { try Descriptor.nothing() }
      case .inherited: input = try ask { try Descriptor.again(STDIN_FILENO) }
      case .data(let data): input = try makeInput(data)
      case .text(let text): input = try makeInput(Data(text.utf8))
      }
      let output = try makeOutput(to: plan.output, orTo: STDOUT_FILENO) { reader = $0 }
      guard let destination = plan.errorOutput else { return [input, output, output] }
      return [input, output, try makeOutput(to: destination, orTo: STDERR_FILENO) { errorReader = $0 }]
    }

    private func ask<R>(_ open: () throws -> R) throws -> R { try plan.asking("its streams", for: open) }

    private func makeInput(_ data: Data) throws -> Descriptor {
      let pipe = try ask { try Descriptor.makePipe() }
      writer = ChildWriter(of: data, to: pipe.writing) { [self] in completeIfDone() }
      return pipe.reading
    }

    private func makeOutput(
      to destination: ChildProcessDestination, orTo number: Int32, _ keep: (ChildReader) -> Void
    ) throws -> Descriptor {
      switch destination {
      case .inherited: return try ask { try Descriptor.again(number) }
      case .discarded: return try ask { try Descriptor.nothing() }
      case .captured, .lines, .bytes:
        let pipe = try ask { try Descriptor.makePipe() }
        keep(
          ChildReader(
            of: pipe.reading, to: destination, dispatch: { [self] in onWorker($0, then: $1) },
            over: { [self] in completeIfDone() }))
        return pipe.writing
      }
    }

    /// Runs what may block as a part of this run, and then `next` on the pump's thread.
    private func onWorker(_ body: @escaping @Sendable () -> Void, then next: @escaping () -> Void) {
      let next = UncheckedTransfer(next)
      let job = Job(on: nil, for: waiter, in: scope) {
        body()
        Pump.shared.perform { next.value() }
      }
      Workers.shared.submit(job)
    }

    private func attend(_ process: Process) {
      isAttended = true
      if group.isCalledOff { becomeDeaf() }
      for reader in readers { reader.begin() }
      writer?.begin()
      guard ending == nil else { return }
      let child = process.processIdentifier
      // Where the system gives no notice, Foundation tells, if later.
      guard let notice = ProcessEnd.notice(of: child) else { return }
      Pump.shared.watch(notice, for: .reading) { [self] in
        let end = ProcessEnd(of: child)
        guard end != .notYet else { return }
        Pump.shared.unwatch(notice)
        guard let ending = ChildProcessEnding(end) else { return }
        process.terminationHandler = nil
        noteEnd(ending)
      }
    }

    private func noteEnd(_ ending: ChildProcessEnding) {
      // Both it and Foundation may have said so.
      guard self.ending == nil else { return }
      self.ending = ending
      completeIfDone()
      group.noteOver()
      guard !areStreamsOver else { return }
      lingerTimer = Delay.run(after: plan.linger.seconds) { [self] in
        Pump.shared.perform { [self] in
          for reader in readers { reader.cutOff() }
          writer?.stop()
        }
      }
    }

    private var areStreamsOver: Bool { readers.allSatisfy(\.isOver) && writer?.isOver ?? true }

    private func completeIfDone() {
      guard let ending, areStreamsOver else { return }
      lingerTimer.take()?.cancel()
      defer { letGo() }
      // Called off, it has its outcome.
      guard group.leave() else { return }
      let output = ChildProcessOutput(
        ending: ending, output: reader?.data ?? Data(), errorOutput: errorReader?.data ?? Data(),
        isComplete: readers.allSatisfy(\.isComplete),
        errorTailBytes: (plan.errorOutput == nil ? reader : errorReader)?.tail ?? [])
      let result: TaskResult<ChildProcessOutput> =
        plan.accepts(ending)
        ? .success(output) : .failure(ChildProcessError.failed(command: plan.commandLine, output: output))
      handOver(result)
    }
  }
#endif
