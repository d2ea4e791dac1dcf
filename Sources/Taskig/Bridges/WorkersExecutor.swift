/// Runs Swift's `async` code on Taskig's own threads.
///
/// Swift's pool has as many threads as the machine has cores, and whoever blocks one of them in an await would wait for ever
/// for code that needs another. Here more threads come when those that there are stand still.
final class WorkersExecutor: TaskExecutor {
  static let shared = WorkersExecutor()

  /// A piece of `async` code, from one suspension to the next.
  private final class Stretch: WorkItem {
    private let job: UnownedJob

    init(_ job: UnownedJob) {
      self.job = job
    }

    func run() {
      job.runSynchronously(on: WorkersExecutor.shared.asUnownedTaskExecutor())
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    Workers.shared.submit(Stretch(UnownedJob(job)))
  }
}
