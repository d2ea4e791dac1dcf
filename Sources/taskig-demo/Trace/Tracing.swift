import Taskig

/// The option that every command has, to make a trace of what it does.
enum Tracing {
  static let option = Option(
    "trace", value: .file("FILE", as: "trace.json"),
    "Write what ran when, on which thread, and who waited for whom: for Perfetto (ui.perfetto.dev) or chrome://tracing, or as a "
      + "picture if FILE ends in '.svg'.")

  /// Runs `body`, of which a trace goes to `path` if there is one, whatever it ends with.
  static func tracing<Result>(to path: String?, _ body: () throws -> Result) throws -> Result {
    guard let path else { return try body() }
    let file = try TraceFile(path)
    let recorder = TraceRecorder(
      to: path.lowercased().hasSuffix(".svg") ? PictureTrace(to: file) : ChromeTrace(to: file))
    TaskigSettings.observer = recorder
    let result = Swift.Result { try body() }
    TaskigSettings.observer = nil
    do {
      try recorder.close()
    } catch  where (try? result.get()) == nil {
      // What the command itself failed with comes first.
    }
    return try result.get()
  }
}
