// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
  /// Parses what people type as a date: `2027-03-01`, `2027-03-01T12:00:00Z`, `2027-03-01T12:00:00+02:00`, fractions of
  /// a second (rounded down), or `@` and seconds since 1970. Without a zone it is UTC. Nil for anything else, and for a
  /// moment outside the years 0 to 9999.
  public init?(_ text: some StringProtocol) {
    if text.first == "@" {
      guard let seconds = Int64(text.dropFirst()), -62_167_219_200..<253_402_300_800 ~= seconds else { return nil }
      self.init(secondsSince1970: seconds)
      return
    }
    var scanner = DigitScanner(Array(text.utf8)[...])
    guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
      let day = scanner.number(2)
    else { return nil }
    if scanner.isAtEnd {
      self.init(year: year, month: month, day: day)
      return
    }
    guard scanner.take("T") || scanner.take("t") || scanner.take(" "), let hour = scanner.number(2), scanner.take(":"),
      let minute = scanner.number(2), scanner.take(":"), let second = scanner.number(2)
    else { return nil }
    if scanner.take(".") {
      guard scanner.number(1) != nil else { return nil }
      while scanner.number(1) != nil {}
    }
    var offset = 0
    if !scanner.take("Z"), !scanner.take("z"), !scanner.isAtEnd {
      let sign = scanner.take("-") ? -1 : 1
      guard sign == -1 || scanner.take("+"), let hours = scanner.number(2), hours < 24, scanner.take(":"),
        let minutes = scanner.number(2), minutes < 60
      else { return nil }
      offset = sign * (hours * 60 + minutes) * 60
    }
    guard scanner.isAtEnd,
      let local = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    self = local.advanced(by: Int64(-offset))
  }

  /// The time of a certificate, as RFC 5280 4.1.2.5 wants it: UTCTime `YYMMDDHHMMSSZ` (years 1950 to 2049) or
  /// GeneralizedTime `YYYYMMDDHHMMSSZ`, with seconds, in Zulu, without fractions.
  package init(_ element: DERElement) throws(DERError) {
    var scanner = DigitScanner(element.content)
    let year: Int?
    switch element.tag {
    case .utcTime: year = scanner.number(2).map { $0 < 50 ? 2000 + $0 : 1900 + $0 }
    case .generalizedTime: year = scanner.number(4)
    default: year = nil
    }
    guard let year, let month = scanner.number(2), let day = scanner.number(2), let hour = scanner.number(2),
      let minute = scanner.number(2), let second = scanner.number(2), scanner.take("Z"), scanner.isAtEnd,
      let time = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else {
      throw DERError(
        .invalidValue("time that is not UTCTime or GeneralizedTime in Zulu"), at: element.encoded.startIndex)
    }
    self = time
  }
}

/// Reads decimal fields of fixed width and single characters.
private struct DigitScanner {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ width: Int) -> Int? {
    let field = rest.prefix(width)
    guard field.count == width, field.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    rest = rest.dropFirst(width)
    return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }
}
