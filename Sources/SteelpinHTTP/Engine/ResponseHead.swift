// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking

/// The status line and the header fields of one response, as they come line by line.
struct ResponseHead {
  private(set) var status = 0
  private(set) var version = "HTTP/1.1"
  /// The fields in the order in which they came.
  private(set) var fields: [(name: String, value: String)] = []
  /// The octets of all lines, those of interim responses included.
  private(set) var size = 0
  /// Whether the empty line came.
  private(set) var isComplete = false

  /// Takes a line. A status line begins anew: what stood before was an interim response. Of a trailer only the size
  /// counts.
  mutating func add(_ line: some Collection<UInt8>, isTrailer: Bool = false) {
    size += line.count
    guard !isTrailer else { return }
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ", maxSplits: 2)
      self = ResponseHead(status: words.count > 1 ? Int(words[1]) ?? 0 : 0, version: String(words[0]), size: size)
    } else if text.isEmpty {
      isComplete = true
    } else if text.first == " " || text.first == "\t", let last = fields.indices.last {
      // The obsolete folding of RFC 9112 section 5.2.
      fields[last].value += " " + text.trimmingCharacters(in: .whitespaces)
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      fields.append((String(text[..<colon]), value))
    }
  }

  /// The values of a field.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name.caseInsensitiveCompare(name) == .orderedSame }.map(\.value)
  }

  /// The response; nil if Foundation takes the status for none.
  func response(url: URL) -> HTTPURLResponse? {
    var names: [String: String] = [:]
    var combined: [String: String] = [:]
    for (name, value) in fields {
      let key = names[name.lowercased(), default: name]
      names[name.lowercased()] = key
      combined[key] = combined[key].map { $0 + ", " + value } ?? value
    }
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: combined)
  }

  init() {}

  private init(status: Int, version: String, size: Int) {
    self.status = status
    self.version = version
    self.size = size
  }
}
