#if os(macOS) || os(Linux)
  import Foundation

  /// One child, from its start to its end.
  ///
  /// The child and its streams have to end, in any order. They do so on the pump's thread.
  final class ChildRun: @unchecked Sendable {
    // because what changes is touched only by the thread that starts the child, until the pump takes over.
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

    /// Starts the child, on the calling thread.
    func start() {
      guard !group.isCalledOff else { return }
      do {
        var spawn = try plan.makeSpawn()
        try plan.asking("its streams", for: Pump.shared.start)
        spawn.streams = try makeStreams()
        if case .inherited = plan.input, isatty(STDIN_FILENO) == 1 { spawn.leadsGroup = false }
        let child = try plan.asking(spawn.path, for: spawn.start)
        group.begin(child, leadsGroup: spawn.leadsGroup)
        Pump.shared.perform { [self] in attend(child) }
      } catch {
        letGo()
        complete(with: .failure(error))
      }
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

    /// What the child has for its streams; the pipes' other ends are ours.
    private func makeStreams() throws -> [ProcessSpawn.Stream] {
      let input: ProcessSpawn.Stream
      switch plan.input {
      case .nothing: input = .nullDevice
      case .inherited: input = .inherited
      case .file(let path):
        input = .descriptor(
          try plan.asking(path) { () throws(SystemFault) in try Descriptor(reading: path) })
      case .data(let data): input = try makeInput(data)
      case .text(let text): input = try makeInput(Data(text.utf8))
      }
      let output = try makeOutput(to: plan.output) { reader = $0 }
      guard let destination = plan.errorOutput else { return [input, output, .sameAsOutput] }
      return [input, output, try makeOutput(to: destination) { errorReader = $0 }]
    }

    private func makeInput(_ data: Data) throws -> ProcessSpawn.Stream {
      let pipe = try plan.asking("its streams", for: Descriptor.makePipe)
      writer = ChildWriter(of: data, to: pipe.writing) { [self] in completeIfDone() }
      return .descriptor(pipe.reading)
    }

    private func makeOutput(
      to destination: ChildProcessDestination, _ keep: (ChildReader) -> Void
    ) throws -> ProcessSpawn.Stream {
      switch destination {
      case .inherited: return .inherited
      case .discarded: return .nullDevice
      case .captured, .lines:
        let pipe = try plan.asking("its streams", for: Descriptor.makePipe)
        keep(
          ChildReader(
            of: pipe.reading, to: destination, dispatch: { [self] in onWorker($0, then: $1) },
            over: { [self] in completeIfDone() }))
        return .descriptor(pipe.writing)
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

    private func attend(_ child: pid_t) {
      isAttended = true
      if group.isCalledOff { becomeDeaf() }
      for reader in readers { reader.begin() }
      writer?.begin()
      guard let notice = ProcessEnd.notice(of: child) else { return ask(for: child) }
      Pump.shared.watch(notice, for: .reading) { [self] in
        guard ProcessEnd.hasCome(to: child) else { return }
        Pump.shared.unwatch(notice)
        noteEnd(of: child)
      }
    }

    /// Looks again and again whether the child has ended, where the system gives no notice.
    private func ask(for child: pid_t) {
      if ProcessEnd.hasCome(to: child) { return noteEnd(of: child) }
      Delay.run(after: 0.01) { [self] in
        Pump.shared.perform { [self] in ask(for: child) }
      }
    }

    private func noteEnd(of child: pid_t) {
      ending = group.reap(child)
      lingerTimer = Delay.run(after: plan.linger.seconds) { [self] in
        Pump.shared.perform { [self] in
          for reader in readers { reader.cutOff() }
          writer?.stop()
        }
      }
      completeIfDone()
    }

    private func completeIfDone() {
      guard let ending, readers.allSatisfy(\.isOver), writer?.isOver ?? true else { return }
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
      // What goes on with it is the user's, and may take as long as it likes.
      Workers.shared.submit(Job(on: nil, for: waiter, in: nil) { [self] in complete(with: result) }, .urgent)
    }
  }
#endif
