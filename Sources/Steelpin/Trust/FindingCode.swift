// SPDX-License-Identifier: Apache-2.0

/// The stable vocabulary of everything that can be said about a chain, the same for every backend.
@nonexhaustive
public enum FindingCode: String, Sendable, Hashable, Codable, CaseIterable {
  // The chain as such.
  /// The set of trust anchors has no certificate.
  case anchorsEmpty = "anchors-empty"
  /// A certificate is not valid DER, or not the structure of a certificate.
  case certificateMalformed = "certificate-malformed"
  /// There is no certificate to judge.
  case chainEmpty = "chain-empty"
  /// The path cannot be continued: an issuer is neither among the anchors nor was it sent.
  case issuerNotFound = "issuer-not-found"
  /// The search for a path was given up.
  case pathBudgetExceeded = "path-budget-exceeded"
  /// The chain ends at a root that is not among the anchors.
  case rootNotTrusted = "root-not-trusted"
  /// The certificate is signed by its own key and is no anchor.
  case selfSignedNotTrusted = "self-signed-not-trusted"
  /// The system's trust anchors could not be loaded.
  case systemAnchorsUnavailable = "system-anchors-unavailable"

  // Signatures and the backend's own proof.
  /// The library refuses a path that no rule of Steelpin objects to.
  case backendRefused = "backend-refused"
  /// A signature was not made by the key of the next certificate.
  case signatureInvalid = "signature-invalid"
  /// The algorithm of a signature is not supported or does not fit the issuer's key.
  case signatureUnsupported = "signature-unsupported"

  // Pins.
  /// A key that the pin configuration forbids is on the path.
  case keyForbidden = "key-forbidden"
  /// No configured pin is met on the path.
  case pinMismatch = "pin-mismatch"
  /// Pinning is configured without a pin.
  case pinSetEmpty = "pin-set-empty"

  // The policy itself.
  /// The settings of the policy contradict each other, so it refuses every server.
  case policyContradiction = "policy-contradiction"

  // Host.
  /// The certificate is not for the host.
  case hostMismatch = "host-mismatch"
  /// The policy checks the host, but no host was given.
  case hostMissing = "host-missing"
  /// The policy does not allow connections to the host.
  case hostNotAllowed = "host-not-allowed"

  // Validity.
  /// A certificate is no longer valid.
  case expired
  /// A certificate is not valid yet.
  case notYetValid = "not-yet-valid"
  /// A date of the certificate is not of the form that RFC 5280 allows.
  case validityMalformed = "validity-malformed"
  /// The certificate is valid for longer than the profile allows.
  case validityTooLong = "validity-too-long"

  // Issuing.
  /// A certificate was issued by one that is no CA.
  case issuerNotCA = "issuer-not-ca"
  /// AuthorityKeyIdentifier does not name the key of the issuer.
  case keyIdentifierMismatch = "key-identifier-mismatch"
  /// The issuer's key usage does not allow it to sign certificates.
  case keyUsageForbidsSigning = "key-usage-forbids-signing"
  /// A name lies outside the name constraints of an issuer.
  case nameNotPermitted = "name-not-permitted"
  /// There are more intermediates below a CA than it allows.
  case pathLengthExceeded = "path-length-exceeded"
  /// The certificate policies of the path do not meet what an issuer demands.
  case policyNotAllowed = "policy-not-allowed"

  // Purpose.
  /// A certificate is not for TLS servers.
  case purposeMismatch = "purpose-mismatch"

  // Revocation.
  /// A revocation list has a critical extension that is not understood.
  case crlExtensionUnknown = "crl-extension-unknown"
  /// Nobody who may sign a revocation list signed this one.
  case crlIssuerUntrusted = "crl-issuer-untrusted"
  /// A revocation list is not of the form that RFC 5280 wants.
  case crlMalformed = "crl-malformed"
  /// The signature of a revocation list was not made by its issuer.
  case crlSignatureInvalid = "crl-signature-invalid"
  /// An OCSP response cannot be read, or is not about the certificate.
  case ocspMalformed = "ocsp-malformed"
  /// An OCSP response does not repeat the nonce of the request.
  case ocspNonceMismatch = "ocsp-nonce-mismatch"
  /// Who signed an OCSP response may not sign it.
  case ocspResponderUnauthorized = "ocsp-responder-unauthorized"
  /// The signature of an OCSP response does not fit.
  case ocspSignatureInvalid = "ocsp-signature-invalid"
  /// The evidence about a certificate's revocation is out of date.
  case revocationExpired = "revocation-expired"
  /// The evidence about a certificate's revocation is from the future.
  case revocationNotYetValid = "revocation-not-yet-valid"
  /// Evidence about a certificate's revocation could not be fetched.
  case revocationUnavailable = "revocation-unavailable"
  /// Nothing tells whether a certificate was revoked.
  case revocationUnknown = "revocation-unknown"
  /// A certificate was revoked.
  case revoked
  /// The certificate says must-staple, and the server stapled no response that proves it good.
  case stapleMissing = "staple-missing"

  // Form of a certificate.
  /// A critical extension is not understood.
  case extensionCriticalUnknown = "extension-critical-unknown"
  /// An extension occurs twice.
  case extensionDuplicated = "extension-duplicated"
  /// The value of an extension is not the DER that it should be.
  case extensionMalformed = "extension-malformed"
  /// An extension, or its critical flag, is not allowed in this certificate.
  case extensionMisplaced = "extension-misplaced"
  /// An extension is missing that this certificate must have.
  case extensionMissing = "extension-missing"
  /// A key is too short or of a kind that is no longer safe.
  case keyWeak = "key-weak"
  /// A name in the certificate is not of the form that the profile wants.
  case nameMalformed = "name-malformed"
  /// The serial number is negative, zero or longer than 20 octets.
  case serialNumberMalformed = "serial-number-malformed"
  /// The signature's algorithm is not the same inside and outside the signed part.
  case signatureAlgorithmMismatch = "signature-algorithm-mismatch"
  /// A signature uses a broken hash.
  case signatureAlgorithmWeak = "signature-algorithm-weak"
  /// The certificate's version does not fit what it holds.
  case versionMalformed = "version-malformed"

  // Observations that do not decide a verdict.
  /// The server sent a certificate that no path needs.
  case certificateUnused = "certificate-unused"
  /// The certificates were not sent in order, each followed by its issuer.
  case chainOrder = "chain-order"
  /// The policy asks for no proof of the chain.
  case chainUnvalidated = "chain-unvalidated"
  /// A certificate expires within two weeks.
  case expiresSoon = "expires-soon"
  /// A pin is met on one acceptable path and not on another.
  case pinOnSomePaths = "pin-on-some-paths"
  /// The server sent the root.
  case rootSent = "root-sent"
}
