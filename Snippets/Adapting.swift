import Foundation
import Taskig

enum Unit { case points, inches }
struct LoadError: Error {}

func measure(_ text: String, in unit: Unit, completion: @escaping @Sendable (Double) -> Void) {
  completion(Double(text.count) * (unit == .points ? 7 : 0.1))
}

let width = Task.adapting(measure)
let wide = width("Hello", .points).await()

func load(_ name: String, completion: @escaping @Sendable (Result<Data, LoadError>) -> Void) {
  completion(.success(Data(name.utf8)))
}

let data = ThrowableTask.adapting(load)
let settings = try data("settings").await()

print(wide, settings.count)
