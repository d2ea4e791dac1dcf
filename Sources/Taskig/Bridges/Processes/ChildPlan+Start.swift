#if os(macOS) || os(Linux)
  import Foundation

  extension ChildPlan {
    /// What is to be given to the system, but for the streams.
    func makeProcess() throws -> Process {
      let process = ThreadlessProcess()
      let environment = try makeEnvironment()
      for word in [program] + arguments + [folder ?? "", inputFile ?? ""] where word.utf8.contains(0) {
        throw refusal(
          "“\(word)” holds a NUL character, at which the system would cut it off. Pass it in a file or as input.")
      }
      if let folder {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
          throw refusal("there is no folder “\(folder)” for it to run in. Make it first.")
        }
        process.currentDirectoryURL = URL(fileURLWithPath: Self.plain(folder))
      }
      if case .inherited = input, isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() {
        throw refusal(
          "its input would be the terminal, and the system stops a child that reads from there. Read here what it needs, and give it that."
        )
      }
      process.executableURL = try findProgram(in: environment["PATH"])
      process.arguments = arguments
      process.environment = environment
      return process
    }

    /// The path in a form in which Foundation takes “~” for a name like others, as no shell is there to say what it stands for.
    private static func plain(_ path: String) -> String { path.hasPrefix("~") ? "./" + path : path }

    private var inputFile: String? {
      if case .file(let path) = input { path } else { nil }
    }

    func refusal(_ reason: String) -> ChildProcessError { .notStarted(command: commandLine, reason: reason) }

    /// Asks the system for something without which the child cannot be started, and says what it was if it is refused.
    func asking<R>(_ subject: String, for act: () throws -> R) throws(ChildProcessError) -> R {
      do {
        return try act()
      } catch {
        let fault = SystemFault(behind: error)
        throw refusal(
          "the system said of \(subject): \(fault?.text ?? error.localizedDescription).\(Self.hint(for: fault?.code))")
      }
    }

    private static func hint(for code: Int32?) -> String {
      switch code {
      case ENOEXEC: " It is not a program for this machine, or a script without “#!” in its first line."
      case ENOENT:
        " Either it is not there, or what its first line names, or what would load it, is not; or this process's folder has a name "
          + "that is no UTF-8."
      case EACCES: " Neither a folder nor a file without the permission for it can be run or read."
      case E2BIG: " Pass what is long in a file or as input."
      case EMFILE, ENFILE: " Start fewer children at once, or raise the limit."
      case EBADF: " A file with a number beyond this process's limit is open. Close it, or raise the limit."
      case ETXTBSY: " Somebody is writing the program. Close it there first."
      default: ""
      }
    }

    private func makeEnvironment() throws -> [String: String] {
      let environment: [String: String]
      switch variables {
      case .only(let variables): environment = variables
      case .added(let variables):
        environment = variables.reduce(into: ProcessInfo.processInfo.environment) { $0[$1.key] = $1.value }
      }
      // What this process has inherited itself, it need not be told of.
      for (name, value) in variables.given
      where name.isEmpty || name.contains("=") || "\(name)\(value)".utf8.contains(0) {
        throw refusal(
          "the environment variable “\(name)” has no name, or “=” in its name, or a NUL character. Rename it.")
      }
      return environment.filter { !$0.key.isEmpty }
    }

    /// The file to be run.
    private func findProgram(in path: String?) throws -> URL {
      if program.isEmpty { throw refusal("the program's name is empty. Give a name or a path.") }
      if program.contains("/") {
        // Made whole here: the system would look from the child's folder.
        let file = URL(fileURLWithPath: Self.plain(program))
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
          throw ChildProcessError.notFound(program: program, lookedIn: [file.path])
        }
        if isFolder.boolValue { throw refusal("“\(file.path)” is a folder. Give the path of a program in it.") }
        return file
      }
      let folders = (path ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "." : String($0) }
      for folder in folders {
        let path = "\(folder)/\(program)"
        // First and alone, since it is the cheapest, and most folders do not have it.
        guard access(path, X_OK) == 0 else { continue }
        let file = URL(fileURLWithPath: Self.plain(path), isDirectory: false)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue { return file }
      }
      throw ChildProcessError.notFound(program: program, lookedIn: folders)
    }
  }
#endif
