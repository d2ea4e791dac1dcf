import Foundation

/// What is to be fetched: the URLs that can be, each with a name of its own, and what is wrong with the others.
struct FetchList {
  private(set) var downloads: [Download] = []
  private(set) var complaints: [String] = []
  /// Without what stands after a `#`, which no server is told.
  private var known: Set<Substring> = []
  /// In small letters, since not every file system tells those from others.
  private var names: Set<String> = []
  /// How many have asked for a name, so that a thousand with one name are not all compared.
  private var wishes: [String: Int] = [:]

  init(_ words: [String]) {
    for word in words { add(word) }
  }

  private mutating func add(_ word: String) {
    guard let url = URL(string: word), let scheme = url.scheme?.lowercased() else {
      return complain(word, "is no URL. Write all of it, as in https://example.com/file.txt.")
    }
    guard scheme == "http" || scheme == "https" else {
      return complain(
        word,
        "is no URL of http or https, and nothing else is fetched. Write all of it, as in https://example.com/file.txt.")
    }
    guard let host = url.host(), !host.isEmpty else {
      return complain(word, "has no host. It stands after the two slashes, as in https://example.com/file.txt.")
    }
    guard known.insert(url.absoluteString.prefix { $0 != "#" }).inserted else { return }
    downloads.append(Download(url: url, name: freeName(Download.name(for: url))))
  }

  private mutating func complain(_ word: String, _ problem: String) {
    // Neither a password nor what a terminal obeys may be shown.
    let shown = word.replacing(/(^|\/\/)[^\/?#]*@/) { "\($0.output.1)...@" }.printable
    complaints.append("'\(shown)' \(problem)")
  }

  /// The name, with a number before its extension if another file has it.
  private mutating func freeName(_ name: String) -> String {
    // A dot at the beginning is that of a hidden file.
    let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
    let (stem, kind) = (name[..<dot], name[dot...])
    var (free, number) = (name, wishes[name.lowercased()] ?? 1)
    while !names.insert(free.lowercased()).inserted {
      number += 1
      free = "\(stem)-\(number)\(kind)"
    }
    wishes[name.lowercased()] = number
    return free
  }
}
