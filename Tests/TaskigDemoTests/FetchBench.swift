import Foundation
import Testing

/// A server, a folder, and the demo that fetches from the one into the other.
final class FetchBench: Sendable {
  let server: LoopbackServer
  let folder: ScratchFolder

  init(_ routes: [String: LoopbackServer.Script]) throws {
    server = LoopbackServer(routes)
    folder = try ScratchFolder()
  }

  deinit { server.stop() }

  func url(_ path: String) -> String { server.url(path).absoluteString }

  /// Fetches the paths, with pauses between tries that are hardly any.
  func fetch(
    _ paths: [String], _ options: String..., input: String? = nil, meanwhile: (pid_t) throws -> Void = { _ in }
  ) throws -> ChildRun {
    try ChildRun(
      Products.demo(), ["fetch", "--pause", "0.001", "-o", folder.path] + options + paths.map(url), input: input,
      meanwhile: meanwhile)
  }

  /// How often the path was asked for.
  func requests(for path: String) -> Int { server.requests.count { $0 == "GET \(path)" } }

  /// What is in the folder under a name.
  func names() throws -> [String] { try folder.names().filter { !$0.hasPrefix(".taskig-") } }

  /// Whether a part of a file is there.
  func hasPart() throws -> Bool { try folder.names().contains { $0.hasPrefix(".taskig-") } }
}

extension FetchBench {
  /// Sends half of what it says that there is, and hangs up.
  static let cutOff: LoopbackServer.Script = { exchange in
    try exchange.send(exchange.head(200, ["Content-Length: 1000"]))
    try exchange.send(String(repeating: "x", count: 500))
    exchange.hangUp()
  }

  /// Sends half of the text, opens a gate, and passes another before the other half.
  static func halved(_ text: String, _ half: Gate, _ rest: Gate) -> LoopbackServer.Script {
    { exchange in
      try exchange.send(exchange.head(200, ["Content-Length: \(text.utf8.count)"]))
      try exchange.send(String(text.prefix(text.count / 2)))
      half.open()
      rest.pass()
      try exchange.send(String(text.dropFirst(text.count / 2)))
    }
  }
}
