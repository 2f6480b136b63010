// SPDX-License-Identifier: Apache-2.0

/// What is at hand to tell whether certificates were revoked. Nothing of it is trusted before its signature, its
/// signer's right to sign and its dates are checked, and nothing of it is looked at unless the policy asks.
public struct RevocationEvidence: Sendable {
  /// What a server did about stapling (RFC 6066 section 8).
  public enum Staple: Sendable, Hashable {
    /// There was a handshake that asked for a response, and the server sent none.
    case notSent
    /// The OCSP response that the server sent, as its DER.
    case response([UInt8])
    /// There was no handshake that asked for a response.
    case unknown
  }

  /// The stapled response.
  public var staple: Staple
  /// OCSP responses that came another way, each as its DER.
  public var ocspResponses: [[UInt8]]
  /// Revocation lists, complete ones and deltas, in any order.
  public var lists: [CertificateRevocationList]
  /// Certificates of those who sign lists, where they are not among the certificates that the server sent.
  public var certificates: [Certificate]
  /// Who fetches what the policy's mode `.online` asks for; nil fetches nothing.
  public var fetcher: (any RevocationFetcher)?
  /// The nonce of OCSP requests (RFC 9654), 1 to 128 octets; empty sends none. It is fixed here, so that all who judge
  /// with this evidence ask the same question and judge the same answer.
  public var nonce: [UInt8]

  /// Evidence of the given kinds; by default there is none.
  public init(
    staple: Staple = .unknown, ocspResponses: [[UInt8]] = [], lists: [CertificateRevocationList] = [],
    certificates: [Certificate] = [], fetcher: (any RevocationFetcher)? = nil, nonce: [UInt8] = []
  ) {
    self.staple = staple
    self.ocspResponses = ocspResponses
    self.lists = lists
    self.certificates = certificates
    self.fetcher = fetcher
    self.nonce = nonce
  }

  /// A fresh nonce of 32 octets, the length that RFC 9654 recommends, from the system's random source.
  public static func makeNonce() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }
}
