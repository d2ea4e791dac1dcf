import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Putting a finished file in its place.
enum RenamedFile {
  /// Gives `file` the name of `destination`, in one step: whoever looks finds what was there before or what is there now.
  ///
  /// Both have to be in one file system. Foundation's own way, `replaceItemAt`, fails when there is nothing to replace.
  static func move(_ file: URL, to destination: URL) throws {
    let failure = file.withUnsafeFileSystemRepresentation { from in
      destination.withUnsafeFileSystemRepresentation { to -> Int32 in
        guard let from, let to else { return EINVAL }
        return rename(from, to) == 0 ? 0 : errno
      }
    }
    guard failure != 0 else { return }
    throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO, userInfo: [NSFilePathErrorKey: destination.path])
  }
}
