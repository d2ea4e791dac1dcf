/// A place in the user's source, for diagnostics.
@usableFromInline
struct CallSite: Sendable {
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @inlinable
  init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }
}

extension CallSite: CustomStringConvertible {
  @usableFromInline var description: String { "\(file):\(line)" }
}

/// Stops the program at the caller's line, in release builds too, saying what is wrong, what it leads to and what to do.
///
/// `precondition` loses its text in release builds, where such a message is needed most.
@usableFromInline
func trap(_ problem: String, consequence: String, remedy: String, at site: CallSite) -> Never {
  fatalError("\(problem) \(consequence) \(remedy)", file: site.file, line: site.line)
}
