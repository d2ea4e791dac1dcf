import Foundation

/// A URL, and what the file is to be called that is there.
struct Download: Sendable {
  let url: URL
  let name: String

  /// The name that the URL asks for: the end of its path, and never one that leads elsewhere or upsets a terminal.
  static func name(for url: URL) -> String {
    let last = url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).last.map(
      String.init)
    let text = last.map { $0.removingPercentEncoding ?? $0 } ?? ""
    var name = String(
      String.UnicodeScalarView(
        // Those that are not seen, such as one that has all after it written from right to left, are dropped.
        text.unicodeScalars.filter { $0.properties.generalCategory != .format }
          .map { $0 == "/" || $0.properties.generalCategory == .control ? "_" : $0 }))
    // File systems have 255 bytes. The end says what kind of file it is.
    while name.utf8.count > 200 { name.removeFirst() }
    return ["", ".", ".."].contains(name) ? "index.html" : name
  }

  /// The URL as it may be shown, without a password.
  var address: String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
    (parts.user, parts.password) = (nil, nil)
    return parts.string ?? url.absoluteString
  }
}
