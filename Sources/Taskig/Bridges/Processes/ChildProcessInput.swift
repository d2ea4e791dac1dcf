#if os(macOS) || os(Linux)
  import Foundation

  /// What a ``ChildProcess`` reads from its standard input.
  public enum ChildProcessInput: Sendable {
    /// Nothing: it is at the end at once.
    case nothing
    /// These bytes, and then the end. A child that ends or closes its input before it has read them all is no error.
    case data(Data)
    /// This text in UTF-8, and then the end, as with `data`.
    case text(String)
    /// The file at this path, from this process's folder; it is opened when the child is started.
    case file(String)
    /// What this process reads. The two then take it from one another, as far as each reads.
    ///
    /// It must not be the terminal that this process is controlled from: the system would stop a child that reads there, so that is
    /// refused by ``ChildProcessError/notStarted(command:reason:)``.
    case inherited
  }
#endif
