import Foundation
import Testing

@testable import taskig_demo

extension DemoTests {
  /// The speed table.
  struct BenchTests {
    private struct Row: Decodable {
      let name: String
      let work: String
      let unit: String
      let taskig: Double
      let dispatch: Double
      let swiftConcurrency: Double?
      let dispatchRatio: Double
      let swiftConcurrencyRatio: Double?
      let rounds: Int
    }

    @Test
    func `As JSON, each piece of work is an object with times in nanoseconds and their ratios`() throws {
      let run = try ChildRun.demo("bench", "--quick", "--json")
      #expect(run.status == 0)
      let rows = try JSONDecoder().decode([Row].self, from: Data(run.output.utf8))
      #expect(rows.count == 7)
      #expect(Set(rows.map(\.name)).count == rows.count)
      for row in rows {
        #expect(row.unit == "ns")
        #expect(row.rounds == 3)
        #expect(row.taskig > 0 && row.dispatch > 0 && row.swiftConcurrency != 0)
        #expect(abs(row.dispatchRatio * row.taskig / row.dispatch - 1) < 0.001)
        #expect((row.swiftConcurrencyRatio == nil) == (row.swiftConcurrency == nil))
      }
    }

    @Test
    func `As a table, it has the work in words and fits the terminal`() throws {
      let run = try ChildRun.demo("bench", "--quick", environment: ["COLUMNS": "60", "LC_ALL": "C"])
      #expect(run.status == 0)
      #expect(run.lines[0].split(separator: " ") == ["Taskig", "Dispatch", "Swift", "concurrency"])
      #expect(run.lines.filter { $0.count > 60 || $0.hasSuffix(" ") } == [])
      #expect(run.output.utf8.max().map { $0 < 0x80 } == true)
      #expect(run.lines.filter { $0.contains(/\d(\.\d+)?x/) }.count == 7)
      #if DEBUG
        #expect(run.errors == "A debug build's figures mean little. Do: swift run -c release taskig-demo bench\n")
      #else
        #expect(run.errors == "")
      #endif
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `A signal calls it off, and decides what it exits with`(signal: Int32) throws {
      let folder = try SampleFolder()
      let table = folder.url.appendingPathComponent("table")
      let run = try ChildRun("/bin/sh", ["-c", #"exec "$0" bench >"$1""#, try Products.demo(), table.path]) { child in
        // It has begun once there is something of the table.
        let limit = Date.now + 60
        while (try? Data(contentsOf: table))?.isEmpty ?? true, Date.now < limit { usleep(10_000) }
        kill(child, signal)
      }
      #expect(run.status == 128 + signal)
    }

    @Test
    func `A way that gives a wrong result is an error`() throws {
      let contest = Contest("add", "Add", sum: 2, [.taskig("+") { 2 * $0 }, .dispatch("-") { $0 }])
      do {
        _ = try Referee(rounds: 1, least: .zero).measure(contest) { _ in }
        Issue.record("It was not noticed.")
      } catch let error as CommandError {
        #expect(error.message.hasPrefix("Dispatch's '-' is wrong: 1 in place of 2. "))
      }
    }

    @Test
    func `One slow first time does not decide how often the work is done in a round`() throws {
      // Where the machine holds up the second time too, that may decide. Then there is another contest, with longer times.
      let isRepeated = try (0..<8).contains { doublings in
        let least = 0.02 * Double(1 << doublings)
        let counts = Guarded<[Int]>([])
        let contest = Contest(
          "cold", "Cold", sum: 0,
          [
            .taskig("slow at first") { count in
              let isFirst = counts.withLock { ($0.isEmpty, $0.append(count)).0 }
              return sleep(for: least * (isFirst ? 2.5 : 0.05), count)
            }
          ])
        _ = try Referee(rounds: 1, least: .seconds(least)).measure(contest) { _ in }
        return try #require(counts.current.last) > 1
      }
      #expect(isRepeated)
    }

    @Test
    func `The time of a piece of work is divided into its parts, and compared with Taskig's`() throws {
      let contest = Contest(
        "sleep", "Sleep", parts: 10, sum: 0,
        [.taskig("short") { sleep(for: 0.002, $0) }, .dispatch("long") { sleep(for: 0.02, $0) }])
      let rounds = Guarded<[Int]>([])
      let row = try Referee(rounds: 3, least: .zero).measure(contest) { number in rounds.withLock { $0.append(number) }
      }
      #expect(rounds.current == [0, 1, 2, 3])
      #expect(try #require(row.taskig) >= 0.2e6)
      #expect(try #require(row.dispatch) >= 2e6)
      #expect(row.swiftConcurrency == nil && row.swiftConcurrencyRatio == nil)
    }
  }
}

/// Sleeps so often, and makes nothing of it.
private func sleep(for seconds: Double, _ count: Int) -> Int {
  for _ in 0..<count { Thread.sleep(forTimeInterval: seconds) }
  return 0
}
