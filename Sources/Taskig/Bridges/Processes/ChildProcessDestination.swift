#if os(macOS) || os(Linux)
  import Foundation

  /// Where the output of a ``ChildProcess``, or its error output, goes.
  public enum ChildProcessDestination: Sendable {
    /// Into the result, all of it, however much that is.
    case captured
    /// To a closure, line by line, as they come.
    ///
    /// A line ends with LF or CRLF, which is not a part of it; one at the end of the stream without either counts too. A line may be
    /// of any length, and is held in memory. Bytes that are no UTF-8 are replaced by “�”.
    ///
    /// The closure runs on a thread of Taskig's own, for one line after the other, and may block, in awaits or otherwise. The child is
    /// read no further meanwhile, so it waits when it is far ahead. The await returns when the last line is done; lines that come
    /// after the run was cancelled are dropped. The two streams of a child, and two children, call at the same time.
    case lines(@Sendable (String) -> Void)
    /// To a closure, piece by piece, as they come: to copy it elsewhere without holding it in memory.
    ///
    /// All pieces, one after the other, are what the child wrote, byte for byte. Each has at least one byte and at most 64 KiB; where
    /// one ends and the next begins means nothing.
    ///
    /// The closure runs as that of ``lines(_:)`` does, and may block as well: the child is read no further meanwhile, so no more than a
    /// piece is held in memory, and what a pipe holds in the system. The await returns when the last piece is done; pieces that come
    /// after the run was cancelled are dropped.
    case bytes(@Sendable (Data) -> Void)
    /// Where that of this process goes.
    case inherited
    /// Nowhere (`/dev/null`).
    case discarded
  }
#endif
