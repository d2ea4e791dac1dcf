import Taskig

let answer = await Task { 6 * 7 }.value
let text = try await ThrowableTask { try String(contentsOfFile: "/etc/hosts", encoding: .utf8) }.value

print(answer, !text.isEmpty)
