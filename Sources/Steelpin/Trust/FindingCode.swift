// SPDX-License-Identifier: Apache-2.0

/// The stable vocabulary of everything that can be said about a chain, the same for every backend.
@nonexhaustive
public enum FindingCode: String, Sendable, Hashable, Codable, CaseIterable {
  // The chain as such.
  case anchorsEmpty = "anchors-empty"
  case certificateMalformed = "certificate-malformed"
  case chainEmpty = "chain-empty"
  case issuerNotFound = "issuer-not-found"
  case pathBudgetExceeded = "path-budget-exceeded"
  case rootNotTrusted = "root-not-trusted"
  case selfSignedNotTrusted = "self-signed-not-trusted"
  case systemAnchorsUnavailable = "system-anchors-unavailable"

  // Signatures and the backend's own proof.
  case backendRefused = "backend-refused"
  case signatureInvalid = "signature-invalid"
  case signatureUnsupported = "signature-unsupported"

  // Pins.
  case keyForbidden = "key-forbidden"
  case pinMismatch = "pin-mismatch"
  case pinSetEmpty = "pin-set-empty"

  // The policy itself.
  case policyContradiction = "policy-contradiction"

  // Host.
  case hostMismatch = "host-mismatch"
  case hostMissing = "host-missing"
  case hostNotAllowed = "host-not-allowed"

  // Validity.
  case expired
  case notYetValid = "not-yet-valid"
  case validityMalformed = "validity-malformed"
  case validityTooLong = "validity-too-long"

  // Issuing.
  case issuerNotCA = "issuer-not-ca"
  case keyIdentifierMismatch = "key-identifier-mismatch"
  case keyUsageForbidsSigning = "key-usage-forbids-signing"
  case nameNotPermitted = "name-not-permitted"
  case pathLengthExceeded = "path-length-exceeded"
  case policyNotAllowed = "policy-not-allowed"

  // Purpose.
  case purposeMismatch = "purpose-mismatch"

  // Revocation.
  case crlExtensionUnknown = "crl-extension-unknown"
  case crlIssuerUntrusted = "crl-issuer-untrusted"
  case crlMalformed = "crl-malformed"
  case crlSignatureInvalid = "crl-signature-invalid"
  case ocspMalformed = "ocsp-malformed"
  case ocspNonceMismatch = "ocsp-nonce-mismatch"
  case ocspResponderUnauthorized = "ocsp-responder-unauthorized"
  case ocspSignatureInvalid = "ocsp-signature-invalid"
  case revocationExpired = "revocation-expired"
  case revocationNotYetValid = "revocation-not-yet-valid"
  case revocationUnavailable = "revocation-unavailable"
  case revocationUnknown = "revocation-unknown"
  case revoked
  case stapleMissing = "staple-missing"

  // Form of a certificate.
  case extensionCriticalUnknown = "extension-critical-unknown"
  case extensionDuplicated = "extension-duplicated"
  case extensionMalformed = "extension-malformed"
  case extensionMisplaced = "extension-misplaced"
  case extensionMissing = "extension-missing"
  case keyWeak = "key-weak"
  case nameMalformed = "name-malformed"
  case serialNumberMalformed = "serial-number-malformed"
  case signatureAlgorithmMismatch = "signature-algorithm-mismatch"
  case signatureAlgorithmWeak = "signature-algorithm-weak"
  case versionMalformed = "version-malformed"

  // Observations that do not decide a verdict.
  case certificateUnused = "certificate-unused"
  case chainOrder = "chain-order"
  case chainUnvalidated = "chain-unvalidated"
  case expiresSoon = "expires-soon"
  case pinOnSomePaths = "pin-on-some-paths"
  case rootSent = "root-sent"
}
