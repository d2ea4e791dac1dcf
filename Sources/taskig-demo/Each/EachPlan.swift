import Foundation

/// What `each` has been asked to do.
struct EachPlan: Sendable {
  /// Where the arguments come from.
  enum Arguments: Sendable {
    case list([String])
    case input(endedByNUL: Bool)
  }

  let template: CommandTemplate
  let arguments: Arguments
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  /// How many files may be open at once, in this process.
  static var openFiles: Int { max(sysconf(Int32(_SC_OPEN_MAX)), 64) }

  /// How many jobs there are files for: pipes and what tells of the end for each, and some for all together.
  static var mostJobs: Int { max((openFiles - 64) / 8, 1) }
  var keepsOrder = false
  var failsFast = false
  var retries = 0
  var timeout: Duration?
  var isDry = false
  var writesJSON = false
  var isQuiet = false

  /// Whether only one job may write at a time, as it is its turn.
  ///
  /// One that runs alone need not be kept either.
  var printsInOrder: Bool { keepsOrder || jobs == 1 }

  /// Whether what a job writes is what is printed, at once if it is its turn; the output of a try that fails cannot be taken back.
  var streams: Bool { printsInOrder && retries == 0 && !writesJSON }

  /// How many bytes of each stream of a job are wanted.
  var mostOfStream: Int { writesJSON ? JobRecord.mostOfStream : .max }
}
