// SPDX-License-Identifier: Apache-2.0

/// Whether and how a client asks if the certificates of a path were revoked.
///
/// A certificate that is proved to be revoked is refused by every mode but `.off`. The modes differ in the evidence that
/// is looked at, and ``Failure`` in what happens if there is none.
public struct RevocationPolicy: Sendable, Hashable, Codable {
  /// Which evidence is looked at; each mode includes those before it.
  public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
    /// None; must-staple (RFC 7633) is not enforced either.
    case off
    /// The OCSP response that the server stapled, for the leaf.
    case staple
    /// Also the revocation lists and OCSP responses that are at hand, for every certificate in the scope.
    case crl
    /// Also what the certificates' own URLs give, OCSP before lists. The only mode in which anything is fetched.
    case online
  }

  /// What happens if the status of a certificate cannot be established.
  public enum Failure: String, Sendable, Hashable, Codable, CaseIterable {
    /// The path is refused.
    case hard
    /// The path is accepted with a warning.
    case soft
  }

  /// Of which certificates the status is asked. An anchor is trusted as it is, so nobody can revoke it.
  public enum Scope: String, Sendable, Hashable, Codable, CaseIterable {
    /// Of the leaf only.
    case leaf
    /// Of every certificate but the anchor.
    case path
  }

  /// Which evidence is looked at.
  public var mode: Mode
  /// What happens if the status of a certificate cannot be established.
  public var failure: Failure
  /// Of which certificates the status is asked.
  public var scope: Scope
  /// Whether an OCSP response that was fetched must repeat the request's nonce (RFC 9654). One that repeats another
  /// nonce is always refused; many public responders leave it out.
  public var requiresNonce: Bool

  /// A policy; what is not given is what a client without positive demands does.
  public init(_ mode: Mode, failure: Failure = .soft, scope: Scope = .path, requiresNonce: Bool = false) {
    self.mode = mode
    self.failure = failure
    self.scope = scope
    self.requiresNonce = requiresNonce
  }

  /// Nothing is asked.
  public static let off = RevocationPolicy(.off)

  /// What the options of SecPolicyCreateRevocation mean, as Alamofire's RevocationTrustEvaluator passes them on:
  /// without network access what is at hand is used, and only `requirePositiveResponse` makes a missing answer count.
  public static func apple(networkAccessDisabled: Bool = false, requirePositiveResponse: Bool = false) -> Self {
    RevocationPolicy(
      networkAccessDisabled ? .crl : .online, failure: requirePositiveResponse ? .hard : .soft)
  }
}
