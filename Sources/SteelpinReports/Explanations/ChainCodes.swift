// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about the chain as a whole, its proof and the host.
  static let chainCodes: [Explanation] = [
    Explanation(
      "anchors-empty", "the set of trust anchors has no certificate",
      why: "a chain is trusted only if it leads to an anchor, so an empty set trusts nothing",
      mend: "give --cacert a file with at least one certificate, or leave it out to use the system's anchors",
      clause: "RFC 5280 6.1.1 (d)"),
    Explanation(
      "backend-refused", "the library refuses a path that no rule of Steelpin objects to",
      why: "a chain is trusted only if the library proved it; its own reason is shown beside the code",
      mend: "look at the library's reason with --verbose, and at the other library's verdict",
      clause: "RFC 5280 6.1"),
    Explanation(
      "certificate-malformed", "a certificate is not valid DER, or not the structure of a certificate",
      why: "no client can use it; as the leaf it makes the chain worthless",
      mend: "have the certificate issued again, or send the file that the issuer delivered, unchanged",
      clause: "RFC 5280 4.1"),
    Explanation(
      "certificate-unused", "the server sent a certificate that no path needs",
      why: "it costs every handshake its size, and often tells that a chain file was put together wrongly",
      mend: "send the leaf and the intermediates of its path, each once", clause: "RFC 8446 4.4.2"),
    Explanation(
      "chain-empty", "there is no certificate to judge",
      why: "without a leaf there is nothing to trust",
      mend: "give a file with a certificate, or configure the server to send one", clause: "RFC 8446 4.4.2.4"),
    Explanation(
      "chain-order", "the certificates were not sent in order, each followed by its issuer",
      why: "TLS 1.2 demands the order, and some clients still fail without it",
      mend: "sort the chain file: leaf, its issuer, the issuer of that", clause: "RFC 5246 7.4.2"),
    Explanation(
      "chain-unvalidated", "the policy asks for no proof of the chain",
      why: "anchors, dates and names were not checked: only the pin stands between the client and an impostor",
      mend: "let the policy validate the chain"),
    Explanation(
      "host-mismatch", "the certificate is not for the host",
      why: "whoever owns a certificate for another name could pose as this server",
      mend: "put the host into subjectAltName; if the connection goes through another name, give --verify-name",
      clause: "RFC 9525 6"),
    Explanation(
      "host-missing", "the policy checks the host, but no host was given",
      why: "a check without a host would accept the certificate of any server",
      mend: "give --host, or say with --any-host or --no-domain that the host does not matter", clause: "RFC 9525 6.1"),
    Explanation(
      "issuer-not-found", "the path cannot be continued: an issuer is neither among the anchors nor was it sent",
      why: "clients do not fetch missing intermediates, so most of them refuse this server",
      mend: "let the server send the missing intermediate, or trust the right CA with --cacert",
      clause: "RFC 8446 4.4.2"),
    Explanation(
      "path-budget-exceeded", "the search for a path was given up",
      why: "a hostile chain could keep a client busy for hours, so the work is bounded",
      mend: "send only the certificates that the path needs", clause: "RFC 4158 2.4"),
    Explanation(
      "root-not-trusted", "the chain ends at a root that is not among the anchors",
      why: "anybody can make a root; only those that the client already trusts count",
      mend: "if the root is the right one, trust it with --cacert; else the server has the wrong certificate",
      clause: "RFC 5280 6.1.1 (d)"),
    Explanation(
      "root-sent", "the root was sent",
      why: "clients have it already, and do not trust it because it was sent: it only makes the handshake longer",
      mend: "leave the root out of the chain file", clause: "RFC 8446 4.4.2"),
    Explanation(
      "self-signed-not-trusted", "the certificate is signed by its own key and is no anchor",
      why: "anybody can make such a certificate for any name",
      mend: "use a certificate of a CA, or trust this very certificate with --cacert", clause: "RFC 5280 6.1"),
    Explanation(
      "signature-invalid", "a signature was not made by the key of the next certificate",
      why: "the certificate was forged, damaged, or belongs to another issuer of the same name",
      mend: "send the intermediate that issued the certificate; if it is the right one, have it issued again",
      clause: "RFC 5280 6.1.3 (a)(1)"),
    Explanation(
      "signature-unsupported", "the algorithm of a signature is not supported or does not fit the issuer's key",
      why: "a signature that cannot be checked proves nothing",
      mend: "have the certificate signed with ECDSA or RSA and SHA-256", clause: "RFC 5280 4.1.1.2"),
    Explanation(
      "system-anchors-unavailable", "the system's trust anchors could not be loaded",
      why: "without them no public certificate can be trusted",
      mend: "install the package ca-certificates, or name a bundle with SSL_CERT_FILE or --cacert"),
    Explanation(
      "host-not-allowed", "the policy does not allow connections to the host",
      why: "hosts that a table has no entry for are denied unless it says otherwise",
      mend: "add an entry for the host, or choose what unknown hosts get"),
    Explanation(
      "policy-contradiction", "the settings of the policy contradict each other, so it refuses every server",
      why: "as AFNetworking does when invalid certificates are allowed, the domain is validated, and nothing is pinned",
      mend: "pin something, or change one of the settings"),
  ]
}
