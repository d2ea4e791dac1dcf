import Taskig

struct NoZero: Error {}

func inverse(of number: Int) -> ThrowableTask<Double> {
  ThrowableTask {
    guard number != 0 else { throw NoZero() }
    return 1 / Double(number)
  }
}

do {
  try inverse(of: 0).await()
} catch {
  print("thrown:", error)
}

if case .failure(let error) = inverse(of: 0).awaitResult() {
  print("as a result:", error)
}

// All of a collection, whatever becomes of each; or the values, up to the first failure.
let results = [1, 0, 2].map(inverse).awaitAllResults()
print(results.map { (try? $0.get()) ?? .nan })

do {
  try [1, 0, 2].map(inverse).awaitAll()
} catch {
  print("the first failure:", error)
}
