import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

extension DemoTests {
  /// The traces that every command can make of what it does.
  struct TraceTests {
    /// An event as trace viewers read it; the keys are those of Chrome's format.
    private struct Event: Decodable {
      struct Details: Decodable {
        let name: String?
        let run: UInt64?
        let madeIn: UInt64?
      }

      let ph: String
      let name: String
      let cat: String
      let pid: Int
      let tid: Int
      let ts: Double?
      let dur: Double?
      let id: UInt64?
      let args: Details?

      var start: Double { ts ?? .nan }
      var end: Double { start + (dur ?? .nan) }
    }

    private static func events(in file: URL) throws -> [Event] {
      try JSONDecoder().decode([Event].self, from: Data(contentsOf: file))
    }

    /// So long that a thread on a busy machine has come to wait for its end.
    private static let script = "sleep 1; exit $0"

    @Test func `A trace has what each thread did and waited for, one inside the other, and who brought whom to it`()
      throws
    {
      let folder = try ScratchFolder()
      let file = folder.url.appendingPathComponent("trace.json")
      // The sleep makes jobs last long enough for the threads to work at once.
      let run = try ChildRun.demo(
        "each", "-j", "3", "-q", "--trace", file.path, "sh", "-c", Self.script, ":::", "0", "3", "0", "0")
      #expect(run.status == 1)
      let events = try Self.events(in: file)
      let spans = events.filter { $0.ph == "X" }
      let named = Dictionary(
        events.filter { $0.name == "thread_name" }.map { ($0.tid, $0.args?.name ?? "") }, uniquingKeysWith: { $1 })
      #expect(named[0] == "main" && Set(named.keys).isSuperset(of: spans.map(\.tid)))
      #expect(spans.contains { $0.cat == "runs" } && Set(spans.map(\.tid)).count > 1)
      #expect(spans.contains { $0.cat == "waits" && $0.name.hasPrefix("waits: sh -c") })
      for (_, spans) in Dictionary(grouping: spans, by: \.tid) { Self.checkNesting(spans) }

      let jobs = events.filter { $0.ph == "b" && $0.name.hasPrefix("sh -c") }
      #expect(jobs.count == 4)
      for job in jobs {
        let end = events.first { $0.ph == "e" && $0.id == job.id && $0.cat == job.cat && $0.name == job.name }
        #expect((end?.start ?? 0) - job.start > 900_000, "A job sleeps for 1,000,000 microseconds.")
      }
      let (begins, ends) = (events.filter { $0.ph == "s" }, events.filter { $0.ph == "f" })
      #expect(!begins.isEmpty && Set(begins.map(\.id)) == Set(ends.map(\.id)) && begins.count == ends.count)
      for arrow in begins {
        let isBound = spans.contains { $0.tid == arrow.tid && $0.start < arrow.start && arrow.start < $0.end }
        #expect(isBound, "Viewers drop an arrow that begins in no span.")
      }
      // Each was made in one that is there too, but for those that are outermost.
      let runs = Set(events.compactMap { $0.args?.run })
      let makers = Set(events.compactMap { $0.args?.madeIn })
      #expect(!makers.isEmpty && makers.isSubset(of: runs))
    }

    /// Checks that spans of one thread lie in one another or apart.
    private static func checkNesting(_ spans: [Event]) {
      var open: [Event] = []
      for span in spans.sorted(by: { ($0.start, -$0.end) < ($1.start, -$1.end) }) {
        while let last = open.last, last.end <= span.start { open.removeLast() }
        if let last = open.last { #expect(span.end <= last.end, "\(span.name) outlasts \(last.name).") }
        open.append(span)
      }
    }

    @Test func `A trace in a file that ends in svg is a picture with a row for each thread`() throws {
      let folder = try ScratchFolder()
      let file = folder.url.appendingPathComponent("trace.SVG")
      let run = try ChildRun.demo(
        "each", "-j", "2", "-q", "--trace", file.path, "sh", "-c", "sleep 1", ":::", "<\u{301}a> & \"b\"",
        "c\u{1}\nd")
      #expect(run.status == 0)
      let reader = PictureReader()
      let parser = XMLParser(data: try Data(contentsOf: file))
      parser.delegate = reader
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
      #expect(reader.texts.contains("main") && reader.texts.contains { $0.hasPrefix("thread ") })
      #expect(reader.texts.contains { $0.hasPrefix("Waits ") && $0.contains("<\u{301}a> & \"b\"") })
    }

    @Test func `A trace is there also of a command that a signal ends`() throws {
      let folder = try ScratchFolder()
      let file = folder.url.appendingPathComponent("trace.json")
      let run = try ChildRun(
        Products.demo(),
        [
          "each", "--trace", file.path, "sh", "-c", "echo > \"$0\"; sleep 60", ":::",
          folder.url.appendingPathComponent("begun").path,
        ]
      ) { child in
        #expect(eventually { FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("begun").path) })
        kill(child, SIGINT)
      }
      #expect(run.status == 130)
      #expect(try Self.events(in: file).contains { $0.ph == "i" && $0.name.hasSuffix("is cancelled") })
    }

    @Test func `A file that cannot be written is told before anything is done`() throws {
      let folder = try ScratchFolder()
      let run = try ChildRun.demo("--trace", folder.url.path)
      #expect(run.status == 74)
      #expect(run.output == "")
      #expect(
        run.errors.hasPrefix("taskig-demo: The trace cannot be written to '\(folder.url.path)': Is a directory. Give "))
    }

    @Test func `A file that the output goes to is refused, and not emptied`() throws {
      let folder = try ScratchFolder()
      let run = try ChildRun(
        "/bin/sh", ["-c", #"echo before; "$0" each -q --trace both true ::: a; echo "$?""#, try Products.demo()],
        in: folder.url)
      #expect(run.output == "before\n0\n")
      let file = folder.url.appendingPathComponent("both")
      let again = try ChildRun(
        "/bin/sh", ["-c", #"exec >both; echo before; exec "$0" each --trace both true ::: a"#, try Products.demo()],
        in: folder.url)
      #expect(again.status == 255)
      #expect(again.errors.contains("the output goes there"))
      #expect(try String(contentsOf: file, encoding: .utf8) == "before\n")
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no device that is always full."),
      arguments: [false, true])
    func `A trace that does not fit is told, unless the command itself has failed`(fails: Bool) throws {
      let run = try ChildRun.demo("each", "-q", "--trace", "/dev/full", fails ? "false" : "true", ":::", "a")
      #expect(run.status == (fails ? 1 : 255))
      #expect(run.errors.contains("taskig-demo: The trace in '/dev/full' is not whole: "))
    }
  }
}

/// Reads the texts of a picture.
private final class PictureReader: NSObject, XMLParserDelegate {
  private(set) var texts: [String] = []
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if name == "text" || name == "title" { texts.append(text) }
  }
}
