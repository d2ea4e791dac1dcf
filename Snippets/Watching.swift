import Dispatch
import Foundation
import Taskig

TaskigSettings.watchdogLimit = .milliseconds(200)
TaskigSettings.reportHandler = { report in
  guard case .longAwait(let long) = report else { return }
  print(long.queue ?? "no queue", "-", long.state, "Awaited by \(long.awaitedBy.count).")
}

let database = DispatchQueue(label: "database")
database.async { Thread.sleep(forTimeInterval: 5) }

let rows = Task(executionQueue: database) { ["first", "second"] }.named("rows")
let export = Task { rows.await().count }.named("export")
print(export.await())
