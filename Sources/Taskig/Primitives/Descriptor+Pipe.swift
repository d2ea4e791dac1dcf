#if os(macOS) || os(Linux)
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  extension Descriptor {
    /// Makes a pipe.
    static func makePipe() throws(SystemFault) -> (reading: Descriptor, writing: Descriptor) {
      var ends: [Int32] = [-1, -1]
      guard open(&ends) == 0 else { throw .last }
      // Both are taken over before one of them may fail.
      let reading = Result { () throws(SystemFault) in try Descriptor(ends[0]) }
      let writing = Result { () throws(SystemFault) in try Descriptor(ends[1]) }
      return (try reading.get(), try writing.get())
    }

    #if canImport(Darwin)
      /// That no child inherits it has to be said in a second step; ours inherit nothing that they are not given.
      private static func open(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
    #else
      /// In one step, so that a child that anybody starts meanwhile does not inherit it.
      ///
      /// The function is in the libraries, but behind `_GNU_SOURCE`, so Swift's importer does not see it.
      private static func open(_ ends: UnsafeMutablePointer<Int32>) -> Int32 {
        guard let symbol = dlsym(nil, "pipe2") else { return pipe(ends) }
        typealias MakePipe = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
        return unsafeBitCast(symbol, to: MakePipe.self)(ends, O_CLOEXEC)
      }
    #endif
  }
#endif
