/// Runs `body`, which blocks, in a child process of an exit test, whose body is `async` where blocking calls are refused.
///
/// That process does nothing else, so the thread of Swift's pool that is blocked is missed by nobody.
func blocking<R>(_ body: () throws -> R) rethrows -> R { try body() }
