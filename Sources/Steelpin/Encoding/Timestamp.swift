// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// A moment in whole seconds since 1970-01-01T00:00:00Z, without leap seconds; the clock of every evaluation is one.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
  /// Seconds since 1970-01-01T00:00:00Z; negative before.
  public let secondsSince1970: Int64

  /// The moment that many seconds after the epoch.
  public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// The system clock, rounded down to a second.
  public static func now() -> Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }

  /// Midnight UTC of a day of the proleptic Gregorian calendar, plus a time of day.
  ///
  /// Returns nil if a field is outside its range; a second of 60 is refused, as in RFC 5280's times.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard 0...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.days(in: month, of: year), 0...23 ~= hour,
      0...59 ~= minute, 0...59 ~= second
    else { return nil }
    let days = Self.daysSinceEpoch(year: year, month: month, day: day)
    self.secondsSince1970 = Int64(days * 86400 + hour * 3600 + minute * 60 + second)
  }

  /// The moment a number of seconds later; the last, or the first, that can be said where that is past it.
  public func advanced(by seconds: Int64) -> Timestamp {
    let (sum, overflows) = secondsSince1970.addingReportingOverflow(seconds)
    return Timestamp(secondsSince1970: overflows ? Self.limit(seconds < 0) : sum)
  }

  /// The moment a number of days, of 86,400 seconds each, later; the last, or the first, that can be said where that is
  /// past it.
  public func advanced(byDays days: Int64) -> Timestamp {
    let (product, overflows) = days.multipliedReportingOverflow(by: 86400)
    return advanced(by: overflows ? Self.limit(days < 0) : product)
  }

  /// The seconds from another moment to this one, negative if that is later; as many as can be said.
  public func seconds(since other: Timestamp) -> Int64 {
    let (difference, overflows) = secondsSince1970.subtractingReportingOverflow(other.secondsSince1970)
    return overflows ? Self.limit(secondsSince1970 < other.secondsSince1970) : difference
  }

  private static func limit(_ isNegative: Bool) -> Int64 { isNegative ? .min : .max }

  /// Whether the left moment is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

  /// Days from 1970-01-01, by counting 400-year eras of 146,097 days that begin on 1 March.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The fields of the UTC calendar.
  package var calendar: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let (days, seconds) = Int(secondsSince1970).flooredDivision(by: 86400)
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (year, month, day, seconds / 3600, seconds / 60 % 60, seconds % 60)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, as in `2026-11-30T03:00:00Z`.
  public var description: String {
    let c = calendar
    func pad(_ value: Int, _ width: Int = 2) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(pad(c.year, 4))-\(pad(c.month))-\(pad(c.day))T\(pad(c.hour)):\(pad(c.minute)):\(pad(c.second))Z"
  }
}

extension Int {
  /// Quotient rounded towards negative infinity, and the remainder that goes with it.
  fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
