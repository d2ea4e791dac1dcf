import Foundation

@testable import Taskig

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP server on the loopback interface, whose answers are scripts: what a test wants a server to do, well or badly.
///
/// Each connection has a thread, and stays open from one request to the next, unless the script hangs up.
final class LoopbackServer: Sendable {
  /// What is done when a path is asked for: it blocks as long as it likes, and throws when the client has gone.
  typealias Script = @Sendable (Exchange) throws -> Void

  private struct State {
    var listener: Int32
    var sockets: Set<Int32> = []
    var isStopped = false
  }

  let port: UInt16
  private let state: Locked<State>
  private let routes: [String: Script]
  private let received = Steps<String>()

  /// Starts a server at a port of its own; a path without a script is answered with 404.
  init(_ routes: [String: Script]) {
    URLSession.registerStandIns
    let (listener, port) = Socket.listen()
    self.port = port
    self.routes = routes
    state = Locked(State(listener: listener))
    Thread.detachNewThread { [state, routes, received] in
      while let socket = Socket.accept(listener) {
        let isWelcome = state.withLock { state in
          if !state.isStopped { state.sockets.insert(socket) }
          return !state.isStopped
        }
        guard isWelcome else {
          Socket.close(socket)
          break
        }
        Thread.detachNewThread {
          Self.serve(Socket(socket), routes, received)
          // In one step with the list: the system gives the number to the next one that asks.
          state.withLock { state in
            state.sockets.remove(socket)
            // For the client too, should a child that was being started have inherited it.
            Socket.shutDown(socket)
            Socket.close(socket)
          }
        }
      }
      // In one step with the note: who stops the server would shut down what has the number next.
      state.withLock { state in
        state.isStopped = true
        Socket.close(listener)
      }
    }
  }

  deinit {
    stop()
  }

  /// The requests that have come, as `GET /path`, in order.
  var requests: [String] { received.all }

  /// How many connections are open, as the server sees it.
  var connections: Int { state.withLock { $0.sockets.count } }

  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// Hangs up on everybody, in the middle of what is being said.
  func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      Socket.shutDown(state.listener)
      for socket in state.sockets { Socket.shutDown(socket) }
    }
  }

  private static func serve(_ socket: Socket, _ routes: [String: Script], _ received: Steps<String>) {
    while let request = socket.readRequest() {
      received.note("\(request.method) \(request.path)")
      let exchange = Exchange(request, over: socket)
      do {
        guard let script = routes[request.path] else {
          try exchange.respond(404, "There is nothing at \(request.path).")
          continue
        }
        try script(exchange)
      } catch { return }
      if exchange.isOver { return }
    }
  }
}
