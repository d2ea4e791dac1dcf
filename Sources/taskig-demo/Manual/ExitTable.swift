/// What the commands exit with, all in one table.
struct ExitTable {
  /// Each status with its meanings, and the commands that mean it so.
  private var rows: [(status: String, meanings: [(text: String, commands: [String])])] = []

  init(_ commands: [any Command.Type]) {
    for command in commands {
      for (status, meaning) in command.statuses { add(status, meaning, command.name) }
    }
    rows.sort { (Int($0.status.prefix { $0.isNumber }) ?? 0) < (Int($1.status.prefix { $0.isNumber }) ?? 0) }
  }

  private mutating func add(_ status: String, _ meaning: String, _ command: String) {
    let row = rows.firstIndex { $0.status == status } ?? rows.endIndex
    if row == rows.endIndex { rows.append((status, [])) }
    let place = rows[row].meanings.firstIndex { $0.text == meaning } ?? rows[row].meanings.endIndex
    if place == rows[row].meanings.endIndex { rows[row].meanings.append((meaning, [])) }
    rows[row].meanings[place].commands.append(command)
  }

  func write(_ roff: inout Roff) {
    for (status, meanings) in rows {
      roff.macro("TP")
      roff.line(Roff.bold(status))
      for (index, meaning) in meanings.enumerated() {
        if index > 0 { roff.macro("br") }
        // Where all agree, they need not be named.
        let prefix = meanings.count == 1 ? "" : meaning.commands.joined(separator: ", ") + ": "
        roff.paragraph(prefix + meaning.text)
      }
    }
  }
}
