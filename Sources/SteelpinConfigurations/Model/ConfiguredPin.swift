// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A pin as a configuration has it, right or wrong.
public struct ConfiguredPin: Sendable, Hashable {
  /// What the pin says.
  public enum Value: Sendable, Hashable {
    /// A hash of another algorithm, of a public key or of a certificate.
    case digest(DigestAlgorithm, Pin.Subject, [UInt8])
    /// Text that is no pin; the finding about it says why.
    case malformed
    /// A SHA-256.
    case sha256(Pin)
    /// The DER itself, of a SubjectPublicKeyInfo or of a certificate.
    case whole(Pin.Subject, [UInt8])
  }

  /// Hash functions other than SHA-256 that some format knows.
  public enum DigestAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
    /// SHA-1, as in OkHttp's old pins.
    case sha1
    /// SHA-512, as in TLSA records.
    case sha512

    /// The length of the digest in octets.
    package var length: Int { self == .sha1 ? 20 : 64 }
  }

  /// What the pin says.
  public var value: Value
  /// The text as it was written.
  public var text: String
  /// Where on the path it may be met.
  public var scope: TrustPolicy.PinScope
  /// A name that the configuration gives it; nil if none.
  public var name: String?
  /// What the configuration says about it; nil if nothing.
  public var comment: String?
  /// Whether the configuration calls it a backup.
  public var isBackup: Bool
  /// How TLSA uses it; nil in every other format.
  public var usage: TLSAUsage?
  /// Until when it counts; nil if without end. Wultra dates each pin.
  public var expiry: Timestamp?
  /// Where it stands; nil if it was made, not read.
  public var position: SourcePosition?

  /// A pin of the given parts.
  public init(
    _ value: Value, text: String, scope: TrustPolicy.PinScope = .any, name: String? = nil, comment: String? = nil,
    isBackup: Bool = false, usage: TLSAUsage? = nil, expiry: Timestamp? = nil, position: SourcePosition? = nil
  ) {
    self.value = value
    self.text = text
    self.scope = scope
    self.name = name
    self.comment = comment
    self.isBackup = isBackup
    self.usage = usage
    self.expiry = expiry
    self.position = position
  }

  /// The SHA-256 pin that means the same; nil for another hash and for text that is no pin.
  public var pin: Pin? {
    switch value {
    case .digest, .malformed: nil
    case .sha256(let pin): pin
    case .whole(let subject, let der): Pin(subject, SHA256Digest(of: der))
    }
  }

  /// Whether the certificate is the one, or has the key, that the pin names.
  public func matches(_ certificate: Certificate) -> Bool {
    switch value {
    case .digest(let algorithm, let subject, let octets):
      let bytes = subject == .certificate ? certificate.der[...] : certificate.publicKey.encoded
      return algorithm == .sha1 ? SHA1.hash(bytes) == octets : SHA512.hash(bytes) == octets
    case .malformed: return false
    case .sha256(let pin): return pin.matches(certificate)
    case .whole(.certificate, let der): return certificate.der == der
    case .whole(.publicKey, let der): return certificate.publicKey.encoded.elementsEqual(der)
    }
  }
}

/// The certificate usages of RFC 6698 2.1.1 and RFC 7218.
public enum TLSAUsage: Int, Sendable, Hashable, Codable, CaseIterable {
  /// PKIX-TA: an issuer on a path that PKIX accepts.
  case pkixTA = 0
  /// PKIX-EE: the leaf of a path that PKIX accepts.
  case pkixEE = 1
  /// DANE-TA: the anchor of the path.
  case daneTA = 2
  /// DANE-EE: the leaf, whatever PKIX says.
  case daneEE = 3
}
