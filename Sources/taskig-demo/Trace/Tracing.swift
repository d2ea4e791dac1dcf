import Taskig

/// The option that every command has, to make a trace of what it does.
enum Tracing {
  static let option = Option(
    "trace", value: .file("FILE", as: "trace.json"),
    "Write what ran when, on which thread, and who waited for whom: for Perfetto (ui.perfetto.dev) or chrome://tracing, or as a "
      + "picture if FILE ends in '.svg'.")

  /// Runs `body`, of which a trace goes to `path` if there is one, whatever it ends with.
  ///
  /// A trace that cannot be written is a failure only if there is no other: what the command itself came to is what was asked for.
  static func tracing(to path: String?, _ body: () throws -> ExitStatus) throws -> ExitStatus {
    guard let path else { return try body() }
    let file = try TraceFile(path)
    let recorder = TraceRecorder(
      to: path.lowercased().hasSuffix(".svg") ? PictureTrace(to: file) : ChromeTrace(to: file))
    TaskigSettings.observer = recorder
    let result = Result { try body() }
    TaskigSettings.observer = nil
    do {
      try recorder.close()
    } catch {
      if case .success(.success) = result { throw error }
      DemoTool.explain(error)
    }
    return try result.get()
  }
}
