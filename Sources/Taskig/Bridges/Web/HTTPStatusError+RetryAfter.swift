import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPStatusError {
  /// How long the server asks to wait before another attempt, in `Retry-After`: a number of seconds, or a date, from now on.
  ///
  /// It is never negative; `nil` if the server does not say, or not in a way that can be understood. Servers say it with 429 and 503
  /// above all. They may ask for hours, so decide how long you are willing to wait.
  public var retryAfter: Duration? {
    guard let text = response.value(forHTTPHeaderField: "Retry-After")?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
      // What is too large to be a number is too long to be waited for.
      return .seconds(Int64(text).map { min($0, Self.longest) } ?? Self.longest)
    }
    return Self.date(text).map { .seconds(max(0, $0.timeIntervalSinceNow)) }
  }

  /// A century, in seconds: for ever, as everywhere.
  private static let longest: Int64 = 3_155_760_000

  /// The date that HTTP writes so; the two forms that it has given up are not understood.
  private static func date(_ text: String) -> Date? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: text)
  }
}
