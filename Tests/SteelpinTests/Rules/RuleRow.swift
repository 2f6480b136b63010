// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

/// One fault in an otherwise good chain, and who objects to it with what.
struct RuleRow: Sendable, CustomTestStringConvertible {
  let rule: String
  let fault: String
  let profiles: Set<TrustPolicy.Profile>
  let codes: Set<String>
  let spoil: @Sendable (inout FakeChain) -> Void

  init(
    _ rule: String, _ fault: String, _ profiles: Set<TrustPolicy.Profile>, _ codes: String...,
    spoil: @escaping @Sendable (inout FakeChain) -> Void
  ) {
    self.rule = rule
    self.fault = fault
    self.profiles = profiles
    self.codes = Set(codes)
    self.spoil = spoil
  }

  var testDescription: String { "\(rule): \(fault)" }
}

extension Set<TrustPolicy.Profile> {
  static let all = Set(TrustPolicy.Profile.allCases)
  static let letter: Set = [.rfc5280, .webPKI]
  static let strict: Set = [.rfc5280, .standard, .webPKI]
  static let strong: Set = [.apple, .standard, .webPKI]
}
