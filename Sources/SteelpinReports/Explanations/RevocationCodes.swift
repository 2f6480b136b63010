// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about the revocation of certificates.
  static let revocationCodes: [Explanation] = [
    Explanation(
      "crl-extension-unknown", "a revocation list has a critical extension that is not understood",
      why: "such a list may say something else than it seems to, so it tells nothing about any certificate",
      mend: "have the list issued without it, or not critical", clause: "RFC 5280 5.2 and 5.3"),
    Explanation(
      "crl-issuer-untrusted", "nobody who may sign a revocation list signed this one",
      why: "the signer needs a path to the same anchor as the certificate, and cRLSign if it has a key usage",
      mend: "give the certificate of who signs the lists, or have it issued with cRLSign", clause: "RFC 5280 6.3.3 (f)"),
    Explanation(
      "crl-malformed", "a revocation list is not of the form that RFC 5280 wants",
      why: "what cannot be read in one way only proves nothing",
      mend: "have the list issued again, version 2 and numbered",
      clause: "RFC 5280 5"),
    Explanation(
      "crl-signature-invalid", "the signature of a revocation list was not made by its issuer",
      why: "anybody may have made or changed the list", mend: "fetch the list again from where its issuer publishes it",
      clause: "RFC 5280 6.3.3 (g)"),
    Explanation(
      "ocsp-malformed", "an OCSP response cannot be read, or is not about the certificate",
      why: "what is not an answer to the question proves nothing",
      mend: "see what the responder, or the server that staples, was configured with", clause: "RFC 6960 4.2"),
    Explanation(
      "ocsp-nonce-mismatch", "an OCSP response does not repeat the nonce of the request",
      why: "it is not the answer to this request, and may be an old one",
      mend: "look for a cache between client and responder", clause: "RFC 9654 2.1"),
    Explanation(
      "ocsp-responder-unauthorized", "who signed an OCSP response may not sign it",
      why: "only the certificate's issuer may, or one whom it gave a valid certificate with OCSPSigning",
      mend: "renew the responder's certificate, issued by the same key as the certificates that it answers for",
      clause: "RFC 6960 4.2.2.2"),
    Explanation(
      "ocsp-signature-invalid", "the signature of an OCSP response does not fit",
      why: "anybody may have made or changed the response", mend: "see what the responder signs with",
      clause: "RFC 6960 3.2"),
    Explanation(
      "revocation-expired", "the evidence about a certificate's revocation is out of date",
      why: "the certificate may have been revoked since",
      mend: "fetch a new list; a server that staples must renew its response in time",
      clause: "RFC 5280 5.1.2.5, RFC 6960 3.2"),
    Explanation(
      "revocation-not-yet-valid", "the evidence about a certificate's revocation is from the future",
      why: "one of the clocks is wrong, and with it every date", mend: "set the clocks of issuer and client",
      clause: "RFC 5280 5.1.2.4, RFC 6960 3.2"),
    Explanation(
      "revocation-unavailable", "evidence about a certificate's revocation could not be fetched",
      why: "the responder is down, does not answer in time, or refuses to answer",
      mend: "see that the URLs in the certificate can be reached, or give lists by --crl", clause: "RFC 6960 4.2.1"),
    Explanation(
      "revocation-unknown", "nothing tells whether a certificate was revoked",
      why: "no current evidence covers the certificate for all reasons; with a soft failure it is a warning",
      mend: "give the issuer's list by --crl, have the server staple, or fetch by --revocation online",
      clause: "RFC 5280 6.3.3"),
    Explanation(
      "revoked", "a certificate was revoked",
      why: "its issuer says that it must not be relied on any more", mend: "get a new certificate with a new key",
      clause: "RFC 5280 6.3.3"),
    Explanation(
      "staple-missing", "the certificate says must-staple, and the server stapled no response that proves it good",
      why: "the issuer put it into the certificate, so that nobody can hide a revocation by holding back the response",
      mend: "switch OCSP stapling on in the server, and let it reach the responder", clause: "RFC 7633 4.3"),
  ]
}
