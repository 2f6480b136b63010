// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin

/// One case of a suite of the shape of C2SP/x509-limbo, as far as it is judged by.
struct LimboCase: Decodable, Sendable {
  enum Expectation: String, Decodable {
    case failure = "FAILURE"
    case success = "SUCCESS"
  }

  enum Kind: String, Decodable {
    case client = "CLIENT"
    case server = "SERVER"
  }

  struct PeerName: Decodable {
    let kind: String
    let value: String
  }

  /// The inputs of RFC 5280 6.1.1, in suites of certificate policies.
  struct Policy: Decodable {
    let initialPolicySet: [OID]?
    let requireExplicitPolicy: Bool?
    let inhibitPolicyMapping: Bool?
    let inhibitAnyPolicy: Bool?
  }

  let id: String
  let features: [String]
  let validationKind: Kind
  let trustedCerts: [String]
  let untrustedIntermediates: [String]
  let peerCertificate: String
  let validationTime: String?
  let expectedPeerName: PeerName?
  let expectedPeerNames: [PeerName]?
  let extendedKeyUsage: [String]?
  let keyUsage: [String]?
  let maxChainDepth: Int?
  let crls: [String]?
  let expectedResult: Expectation
  let profile: String?
  let policy: Policy?

  /// The group by which results are counted: the two of bettertls apart, else what stands before the first `::`.
  var group: String {
    let parts = id.split(separator: ":", omittingEmptySubsequences: true)
    guard let first = parts.first else { return id }
    return first == "bettertls" && parts.count > 1 ? "bettertls \(parts[1])" : String(first)
  }
}

/// Reads PEM as the suite has it: one block of the given kind in one string.
enum PEMBlock {
  /// The bytes of the block; nil if it is none.
  static func decode(_ text: String) -> [UInt8]? {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
    return Base64.decode(lines.joined().utf8)
  }

  /// The revocation list in the block; nil if there is none that can be read.
  static func list(_ text: String) -> CertificateRevocationList? {
    decode(text).flatMap { try? CertificateRevocationList(der: $0) }
  }

  /// The certificate in the block; nil if there is none that can be read.
  static func certificate(_ text: String) -> Certificate? {
    decode(text).flatMap { try? Certificate(der: $0) }
  }
}
