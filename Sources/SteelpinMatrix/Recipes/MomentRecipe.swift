// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A moment to be written: relative to the clock of a ``Lab``, so that nothing made from it ages.
public struct MomentRecipe: Sendable, Hashable {
  /// The forms of a time in DER.
  public enum Form: Sendable, Hashable {
    /// UTCTime for 1950 to 2049, otherwise GeneralizedTime, as RFC 5280 4.1.2.5 wants it.
    case automatic
    /// GeneralizedTime, whatever the year.
    case generalizedTime
    /// UTCTime, whatever the year.
    case utcTime
  }

  private enum Base: Sendable, Hashable {
    case absolute(Timestamp)
    case der([UInt8])
    case relative(Int64)
  }

  private var base: Base

  /// The form in which it is written.
  public var form: Form

  /// The clock itself.
  public static let now = seconds(0)

  /// A number of seconds after the clock; before it if negative.
  public static func seconds(_ seconds: Int64, as form: Form = .automatic) -> Self {
    MomentRecipe(base: .relative(seconds), form: form)
  }

  /// A number of days of 86,400 seconds after the clock; before it if negative.
  public static func days(_ days: Int32, as form: Form = .automatic) -> Self {
    seconds(Int64(days) * 86400, as: form)
  }

  /// A moment that does not depend on the clock.
  public static func at(_ time: Timestamp, as form: Form = .automatic) -> Self {
    MomentRecipe(base: .absolute(time), form: form)
  }

  /// The DER of a time, written as it is.
  public static func der(_ bytes: [UInt8]) -> Self { MomentRecipe(base: .der(bytes), form: .automatic) }

  /// The DER of the moment by a clock.
  func der(by clock: Timestamp, in field: String) throws(RecipeError) -> [UInt8] {
    try der(by: clock, in: field, form)
  }

  /// The DER of the moment by a clock in GeneralizedTime, the only form that OCSP has, unless its DER is given.
  func generalizedDER(by clock: Timestamp, in field: String) throws(RecipeError) -> [UInt8] {
    try der(by: clock, in: field, .generalizedTime)
  }

  private func der(by clock: Timestamp, in field: String, _ form: Form) throws(RecipeError) -> [UInt8] {
    let seconds: Int64
    switch base {
    case .der(let bytes): return bytes
    case .absolute(let time): seconds = time.secondsSince1970
    case .relative(let offset): seconds = clock.secondsSince1970.addingReportingOverflow(offset).partialValue
    }
    // From the year 0 to the end of 9999, all that four digits can say.
    guard -62_167_219_200...253_402_300_799 ~= seconds else {
      throw .invalidValue(field: field, reason: "the year is not one of 0 to 9999")
    }
    let time = Timestamp(secondsSince1970: seconds)
    return switch form {
    case .automatic: DER.time(time)
    case .generalizedTime: DER.generalizedTime(time)
    case .utcTime: DER.utcTime(time)
    }
  }
}

/// The validity of a certificate to be written.
public struct ValidityRecipe: Sendable, Hashable {
  /// The first moment.
  public var notBefore: MomentRecipe
  /// The last moment.
  public var notAfter: MomentRecipe

  /// A validity from one moment to another.
  public init(from notBefore: MomentRecipe, to notAfter: MomentRecipe) {
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  /// From a number of days after the clock to another.
  public static func days(_ first: Int32, _ last: Int32) -> Self { ValidityRecipe(from: .days(first), to: .days(last)) }

  /// Valid now, and short enough for everybody's limits: 90 days in all.
  public static let current = days(-1, 89)
  /// Ended a day ago.
  public static let expired = days(-91, -1)
  /// Begins in a day.
  public static let notYetValid = days(1, 91)
  /// The validity of an authority: ten years, of which one is over.
  public static let authority = days(-365, 3285)
}
