// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Finds the TLSA records of a zone file: comments, parentheses over lines, `$ORIGIN`, owners left out, and RFC 3597's
/// `TYPE52 \# length hex`.
struct ZoneReader {
  struct Field {
    let text: String
    let offset: Int
  }

  struct Record {
    let owner: String
    let ownerOffset: Int
    let typeOffset: Int
    let fields: [Field]
  }

  var session: ReadingSession
  private let text: SourceText
  private var origin = ""
  private var owner = Field(text: "", offset: 0)

  init(_ text: SourceText) {
    self.text = text
    self.session = ReadingSession(file: text.file)
  }

  mutating func records() throws(ConfigurationError) -> [Record] {
    var records: [Record] = []
    var fields: [Field] = []
    var depth = 0
    var startsWithSpace = false
    for line in text.lines {
      if depth == 0 {
        fields = []
        startsWithSpace = line.isEmpty || text.bytes[line.lowerBound] <= 0x20
      }
      var start: Int?
      var index = line.lowerBound
      func finish(_ end: Int) {
        if let begin = start { fields.append(Field(text: text.string(begin..<end), offset: begin)) }
        start = nil
      }
      scan: while index < line.upperBound {
        switch text.bytes[index] {
        case UInt8(ascii: ";"): break scan
        case UInt8(ascii: "("), UInt8(ascii: ")"):
          finish(index)
          depth += text.bytes[index] == UInt8(ascii: "(") ? 1 : -1
          guard 0...1 ~= depth else {
            throw ConfigurationError(.syntax, at: text.position(at: index), "the parentheses do not match")
          }
        case ...0x20: finish(index)
        default: start = start ?? index
        }
        index += 1
      }
      finish(index)
      if depth == 0, !fields.isEmpty, let record = record(fields, startsWithSpace: startsWithSpace) {
        records.append(record)
      }
    }
    guard depth == 0 else {
      throw ConfigurationError(.syntax, at: text.position(at: text.bytes.count), "a parenthesis has no end")
    }
    return records
  }

  private mutating func record(_ fields: [Field], startsWithSpace: Bool) -> Record? {
    if fields[0].text.uppercased() == "$ORIGIN" {
      origin = fields.count > 1 ? fields[1].text : ""
      return nil
    }
    guard !fields[0].text.hasPrefix("$") else {
      if ["$GENERATE", "$INCLUDE"].contains(fields[0].text.uppercased()) {
        session.unreadable(
          .structureInvalid, text.position(at: fields[0].offset), "the records of \(fields[0].text) are not read",
          hint: "give the zone as a name server holds it, with every record written out")
      }
      return nil
    }
    var rest = fields[...]
    if !startsWithSpace, let first = rest.popFirst() { owner = first }
    // TTL and class stand in either order before the type.
    while let field = rest.first, field.text.uppercased() == "IN" || isTTL(field.text) { rest = rest.dropFirst() }
    guard let type = rest.popFirst() else { return nil }
    let name =
      owner.text == "@" ? origin : owner.text.hasSuffix(".") || origin.isEmpty ? owner.text : "\(owner.text).\(origin)"
    switch type.text.uppercased() {
    case "TLSA":
      return Record(owner: name, ownerOffset: owner.offset, typeOffset: type.offset, fields: Array(rest))
    case "TYPE52":
      return Record(owner: name, ownerOffset: owner.offset, typeOffset: type.offset, fields: generic(Array(rest)))
    default: return nil
    }
  }

  private func isTTL(_ text: String) -> Bool {
    text.utf8.first.map { 0x30...0x39 ~= $0 } == true
      && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || "smhdwSMHDW".utf8.contains($0) }
  }

  /// The fields of `\# length hex` as those of a TLSA record; empty if they are none.
  private func generic(_ fields: [Field]) -> [Field] {
    guard fields.count >= 3, fields[0].text == "\\#", let length = Int(fields[1].text) else { return [] }
    let hex = fields[2...].map(\.text).joined()
    guard let octets = Hex.decode(hex.utf8), octets.count == length, length >= 3 else { return [] }
    let place = fields[2].offset
    return octets.prefix(3).map { Field(text: String($0), offset: place) }
      + [Field(text: Hex.encode(octets.dropFirst(3)), offset: place)]
  }
}
