#if os(macOS) || os(Linux)
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// How a child process is started.
  ///
  /// Foundation's `Process` was tried first and given up. On Linux it learns of a child's end by a socket that grandchildren
  /// inherit, so it is told only when the last of them has ended. It also reaps a child before it says so, after which nobody
  /// knows whether the number still means that child's group. And a child takes over which signals the thread that starts it
  /// blocks and which ones this process ignores.
  struct ProcessSpawn {
    /// What a child has in the place of one of its three streams.
    enum Stream {
      case descriptor(Descriptor)
      case nullDevice
      case inherited
      case sameAsOutput
    }

    var path: String
    /// With the name of the program as the first.
    var arguments: [String]
    /// The environment, each with “=” between name and value.
    var variables: [String]
    var folder: String?
    /// Standard input, standard output and standard error.
    var streams: [Stream]
    /// Whether the child leads a process group of its own.
    var leadsGroup: Bool

    /// Starts the child, which then is in its group already and runs its program; returns its number.
    ///
    /// Blocks until the system has loaded the program, about a millisecond; some more if the program has only just been written.
    func start() throws(SystemFault) -> pid_t {
      // A child that another thread starts holds all that is open here until it runs its program, also the file that this one is to
      // run, if that was being written at that moment. Then the file counts as being written still.
      for pause in [0.001, 0.003, 0.01, 0.03, 0.1] {
        do {
          return try startNow()
        } catch  where error.code == ETXTBSY {
          Thread.sleep(forTimeInterval: pause)
        }
      }
      return try startNow()
    }

    private func startNow() throws(SystemFault) -> pid_t {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
      #endif
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }

      for (number, stream) in zip(Int32(0)..., streams) {
        switch stream {
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor.number, number)
        case .sameAsOutput: posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, number)
        case .inherited where fcntl(number, F_GETFD) >= 0: Self.keep(number, &actions)
        case .nullDevice, .inherited:
          posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
        }
      }
      try Self.closeOthers(&actions)
      if let folder { try Self.changeFolder(&actions, folder) }

      // As a shell's children have them: nothing blocked, nothing ignored.
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      sigfillset(&signals)
      sigdelset(&signals, SIGKILL)
      sigdelset(&signals, SIGSTOP)
      posix_spawnattr_setsigdefault(&attributes, &signals)
      var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
      if leadsGroup { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
      #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
      #endif
      posix_spawnattr_setflags(&attributes, Int16(flags))

      var child = pid_t()
      let failure = Self.withPointers(to: arguments) { arguments in
        Self.withPointers(to: variables) { variables in
          posix_spawn(&child, path, &actions, &attributes, arguments, variables)
        }
      }
      guard failure == 0 else { throw SystemFault(code: failure) }
      return child
    }

    private static func withPointers<R>(
      to texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
      var pointers = texts.map { strdup($0) } + [nil]
      defer { for pointer in pointers { free(pointer) } }
      return pointers.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { fatalError("An array with an end mark in it is not empty.") }
        return body(start)
      }
    }
  }

  #if canImport(Darwin)
    extension ProcessSpawn {
      private static func changeFolder(_ actions: inout posix_spawn_file_actions_t?, _ path: String) throws(SystemFault)
      {
        let failure = posix_spawn_file_actions_addchdir_np(&actions, path)
        guard failure == 0 else { throw SystemFault(code: failure) }
      }

      private static func keep(_ number: Int32, _ actions: inout posix_spawn_file_actions_t?) {
        posix_spawn_file_actions_addinherit_np(&actions, number)
      }

      /// Nothing to be done: a flag says it.
      private static func closeOthers(_ actions: inout posix_spawn_file_actions_t?) throws(SystemFault) {}
    }
  #else
    extension ProcessSpawn {
      private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

      private static func keep(_ number: Int32, _ actions: Actions) {
        posix_spawn_file_actions_adddup2(actions, number, number)
      }

      // These are in the libraries, but behind `_GNU_SOURCE`, so Swift's importer does not see them.

      private static func changeFolder(_ actions: Actions, _ path: String) throws(SystemFault) {
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { throw SystemFault(code: ENOSYS) }
        typealias AddFolder = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
        let failure = unsafeBitCast(symbol, to: AddFolder.self)(actions, path)
        guard failure == 0 else { throw SystemFault(code: failure) }
      }

      /// Sees to it that the child has nothing open but its streams, whatever else in this process does not care.
      ///
      /// Where the system cannot do that, a child inherits what was not opened with `O_CLOEXEC`; all of Taskig's was.
      private static func closeOthers(_ actions: Actions) throws(SystemFault) {
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        typealias AddClosing = @convention(c) (Actions, Int32) -> Int32
        let failure = unsafeBitCast(symbol, to: AddClosing.self)(actions, STDERR_FILENO + 1)
        guard failure == 0 else { throw SystemFault(code: failure) }
      }
    }
  #endif
#endif
