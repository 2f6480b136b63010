// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// What reading a suite needs beyond what every reader does.
extension ReadingSession {
  /// Adds an error about a name that nothing has.
  mutating func unknown(_ name: String, _ what: String, _ position: SourcePosition, among names: [String]) {
    let known = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    error(
      .nameUnknown, position, "there is no \(what) '\(name)'",
      hint: names.isEmpty ? "the suite has none" : "the suite has \(known)")
  }

  /// The items of a list of texts; one text alone is a list of one.
  mutating func texts(_ node: DocumentNode, _ what: String) -> [(text: String, position: SourcePosition)] {
    if case .string(let text) = node.value { return [(text, node.position)] }
    return (array(node, what) ?? []).compactMap { item in
      string(item, "an item of \(what)").map { ($0, item.position) }
    }
  }

  /// Refuses an empty list where names choose rows: it could mean none of them as well as all.
  mutating func refuseEmpty(_ node: DocumentNode, _ what: String) {
    guard case .array(let items) = node.value, items.isEmpty else { return }
    error(
      .structureInvalid, node.position, "this list names no \(what), so it chooses nothing",
      hint: "name one, or leave the key out")
  }

  /// Refuses two keys of an object of which one would be passed over; `kept` is the one to keep.
  mutating func refuse(_ key: String, with kept: String, in node: DocumentNode) {
    guard node[kept] != nil, let member = node.members?.first(where: { $0.key == key }) else { return }
    error(
      .structureInvalid, member.value.position, "'\(key)' and '\(kept)' cannot be combined",
      hint: "leave '\(key)' out")
  }

  /// A whole number within some bounds.
  mutating func integer(_ node: DocumentNode, _ what: String, _ bounds: ClosedRange<Int>) -> Int? {
    if case .number(let text) = node.value, let number = Int(text), bounds.contains(number) { return number }
    error(
      .valueWrong, node.position, "\(what) is no whole number from \(bounds.lowerBound) to \(bounds.upperBound)",
      hint: "make it one")
    return nil
  }

  /// Octets in hexadecimal; spaces and colons between them mean nothing.
  mutating func octets(_ node: DocumentNode, _ what: String) -> [UInt8]? {
    guard let text = string(node, what) else { return nil }
    let digits = text.utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: ":") && $0 != 0x0A }
    if let octets = Hex.decode(digits) { return octets }
    error(
      .valueWrong, node.position, "\(what) is not hexadecimal", hint: "write two digits an octet, as in \"30 03 01\"")
    return nil
  }

  /// An object identifier in dotted decimal, or one that has a name.
  mutating func identifier(
    _ text: String, _ position: SourcePosition, _ what: String, named names: [(name: String, value: OID)] = []
  ) -> OID? {
    if let known = names.first(where: { $0.name == text }) { return known.value }
    if let identifier = OID(text) { return identifier }
    error(
      .valueWrong, position, "'\(text)' is no \(what)",
      hint: "write dotted decimal" + (names.isEmpty ? "" : ", or \(names.map(\.name).joined(separator: ", "))"))
    return nil
  }

  /// The value of a table that a text names.
  mutating func lookUp<Value>(
    _ node: DocumentNode, _ what: String, _ table: [(name: String, value: Value)]
  ) -> Value? {
    guard let text = string(node, what) else { return nil }
    if let found = table.first(where: { $0.name == text }) { return found.value }
    error(
      .valueWrong, node.position, "'\(text)' is no \(what)",
      hint: "it is one of \(table.map(\.name).joined(separator: ", "))")
    return nil
  }

  /// A moment relative to a clock (`-90d`, `+12h`, `now`), or a date.
  mutating func offsetOrTime(_ node: DocumentNode, _ what: String) -> SuiteMoment? {
    guard let text = string(node, what) else { return nil }
    if let moment = SuiteMoment(text) { return moment }
    error(
      .valueWrong, node.position, "'\(text)' is no moment",
      hint: "write now, a date, or an offset from the clock such as -90d, +12h, +30m or +5s")
    return nil
  }
}

/// A moment as suites write it.
enum SuiteMoment: Sendable, Hashable {
  case absolute(Timestamp)
  case relative(Int64)

  init?(_ text: String) {
    if text == "now" {
      self = .relative(0)
      return
    }
    guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      guard let time = Timestamp(text) else { return nil }
      self = .absolute(time)
      return
    }
    let units: [Character: Int64] = ["d": 86400, "h": 3600, "m": 60, "s": 1, "w": 7 * 86400, "y": 365 * 86400]
    guard let letter = text.last, let unit = units[letter], let count = Int64(text.dropLast().dropFirst()),
      0...5_000_000_000 ~= count
    else { return nil }
    self = .relative(sign == UInt8(ascii: "-") ? -count * unit : count * unit)
  }

  /// The moment by a clock.
  func time(by clock: Timestamp) -> Timestamp {
    switch self {
    case .absolute(let time): time
    case .relative(let seconds): clock.advanced(by: seconds)
    }
  }

  func recipe(as form: MomentRecipe.Form) -> MomentRecipe {
    switch self {
    case .absolute(let time): .at(time, as: form)
    case .relative(let seconds): .seconds(seconds, as: form)
    }
  }
}
