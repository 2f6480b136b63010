// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about one certificate of the path.
  static let certificateCodes: [Explanation] = [
    Explanation(
      "expired", "a certificate is no longer valid",
      why: "its issuer vouches for it only up to that moment, and does not publish its revocation afterwards",
      mend: "renew it; an expired intermediate is replaced in the chain file", clause: "RFC 5280 4.1.2.5"),
    Explanation(
      "expires-soon", "a certificate expires within two weeks",
      why: "clients refuse the server from that moment on",
      mend: "renew it now, and see why it was not renewed by itself", clause: "RFC 5280 4.1.2.5"),
    Explanation(
      "extension-critical-unknown", "a critical extension is not understood",
      why: "critical means that a client that does not understand it must refuse",
      mend: "have the certificate issued without it, or not critical", clause: "RFC 5280 4.2"),
    Explanation(
      "extension-duplicated", "an extension occurs twice",
      why: "two clients may read two different values", mend: "have the certificate issued again",
      clause: "RFC 5280 4.2"),
    Explanation(
      "extension-malformed", "the value of an extension is not the DER that it should be",
      why: "what cannot be read cannot be obeyed", mend: "have the certificate issued again",
      clause: "RFC 5280 4.2.1"),
    Explanation(
      "extension-misplaced", "an extension, or its critical flag, is not allowed in this certificate",
      why: "the profile forbids it, and clients differ in what they make of it",
      mend: "have the certificate issued again without it", clause: "RFC 5280 4.2.1"),
    Explanation(
      "extension-missing", "an extension is missing that this certificate must have",
      why: "clients that follow the profile refuse it", mend: "have the certificate issued again with it",
      clause: "RFC 5280 4.2.1"),
    Explanation(
      "issuer-not-ca", "a certificate was issued by one that is no CA",
      why: "otherwise everybody with a certificate could issue others, for any host",
      mend: "have it issued by a CA; a CA of your own needs basicConstraints with cA true",
      clause: "RFC 5280 6.1.4 (k)"),
    Explanation(
      "key-identifier-mismatch", "authorityKeyIdentifier does not name the key of the issuer",
      why: "the certificate says that another key issued it", mend: "send the intermediate with the right key",
      clause: "RFC 5280 4.2.1.1"),
    Explanation(
      "key-usage-forbids-signing", "the issuer's key usage does not allow it to sign certificates",
      why: "the issuer's own certificate forbids this use of its key",
      mend: "have the CA certificate issued with keyCertSign", clause: "RFC 5280 6.1.4 (n)"),
    Explanation(
      "key-weak", "a key is too short or of a kind that is no longer safe",
      why: "others may be able to find the private key",
      mend: "make a new key: P-256, or RSA with at least 2048 bits", clause: "NIST SP 800-131A"),
    Explanation(
      "name-malformed", "a name in the certificate is not of the form that the profile wants",
      why: "clients differ in what they make of it", mend: "have the certificate issued with a proper name",
      clause: "RFC 5280 4.1.2.4 and 4.2.1.6"),
    Explanation(
      "name-not-permitted", "a name lies outside the name constraints of an issuer",
      why: "the issuer may only issue for certain names, and this is not one of them",
      mend: "use a CA that may issue for the name", clause: "RFC 5280 4.2.1.10"),
    Explanation(
      "not-yet-valid", "a certificate is not valid yet",
      why: "its issuer does not vouch for it before that moment; often a clock is wrong",
      mend: "check the clock, or wait", clause: "RFC 5280 4.1.2.5"),
    Explanation(
      "path-length-exceeded", "there are more intermediates below a CA than it allows",
      why: "its path length constraint says how many may follow", mend: "use a CA that may issue here",
      clause: "RFC 5280 4.2.1.9"),
    Explanation(
      "policy-not-allowed", "the certificate policies of the path do not meet what an issuer demands",
      why: "an issuer demands an explicit policy, and no policy is valid for the whole path",
      mend: "have the certificate issued under a policy that its issuers allow", clause: "RFC 5280 6.1.5"),
    Explanation(
      "purpose-mismatch", "a certificate is not for TLS servers",
      why: "its extended key usage limits it to other purposes, or it is the certificate of an authority",
      mend: "have the server's certificate issued with the purpose serverAuth, and not as a CA",
      clause: "RFC 5280 4.2.1.12"),
    Explanation(
      "serial-number-malformed", "the serial number is negative, zero or longer than 20 octets",
      why: "revocation names certificates by their serial number", mend: "have the certificate issued again",
      clause: "RFC 5280 4.1.2.2"),
    Explanation(
      "signature-algorithm-mismatch", "the signature's algorithm is not the same inside and outside the signed part",
      why: "an attacker could exchange the one that is not signed", mend: "have the certificate issued again",
      clause: "RFC 5280 4.1.1.2"),
    Explanation(
      "signature-algorithm-weak", "a signature uses a broken hash",
      why: "with MD5 and SHA-1 two certificates can be made that have the same signature",
      mend: "have the certificate signed with SHA-256 or better", clause: "RFC 9155"),
    Explanation(
      "validity-malformed", "a date of the certificate is not of the form that RFC 5280 allows",
      why: "a date that cannot be read cannot be kept", mend: "have the certificate issued again",
      clause: "RFC 5280 4.1.2.5"),
    Explanation(
      "validity-too-long", "the certificate is valid for longer than the profile allows",
      why: "browsers and Apple's systems refuse long-lived certificates of public CAs",
      mend: "have it issued for at most 398 days (825 for a private CA on Apple's systems)",
      clause: "CA/Browser Forum BR 6.3.2"),
    Explanation(
      "version-malformed", "the certificate's version does not fit what it holds",
      why: "extensions exist only in version 3", mend: "have the certificate issued again", clause: "RFC 5280 4.1.2.1"),
  ]
}
