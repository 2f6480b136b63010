// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about connections without a verdict.
  static let connectionCodes: [Explanation] = [
    Explanation(
      "cancelled", "the check was cancelled", why: "nothing was judged", mend: "run it again"),
    Explanation(
      "client-certificate-required", "the server wants a client certificate",
      why: "without one it ends the connection, so its chain was not proved to be its own",
      mend: "give a client's certificate with --cert and --key, or check a port that does not ask for one",
      clause: "RFC 8446 4.3.2"),
    Explanation(
      "closed-early", "the server closed the connection before the handshake was finished",
      why: "often the port speaks another protocol, or a proxy refuses the server name",
      mend: "check the port and --servername, and the server's log"),
    Explanation(
      "connection-refused", "nothing listens on the port",
      why: "the server is down, or a firewall refuses", mend: "check host and port, and that the server runs"),
    Explanation(
      "dns-failed", "the name has no address, or the resolver did not answer",
      why: "the name is misspelt, not published yet, or this machine has no resolver",
      mend: "check the name; --resolve gives an address in place of the resolver's"),
    Explanation(
      "not-tls", "the server speaks another protocol",
      why: "the port is one for plain text, such as HTTP, or for a protocol that begins in plain text",
      mend: "give the port that speaks TLS, often 443 in place of 80"),
    Explanation(
      "tls-alert", "the server ended the handshake with an alert",
      why: "the server gives its reason in the alert", mend: "look at the alert's name and at the server's log",
      clause: "RFC 8446 6.2"),
    Explanation(
      "tls-failed", "the server broke the protocol, or the library failed",
      why: "its chain was not proved to be its own", mend: "try the other --engine, and look at the server's log"),
    Explanation(
      "tls-no-common-version", "the server has no protocol version or cipher suite in common",
      why: "Steelpin speaks TLS 1.2 and 1.3", mend: "enable TLS 1.2 or 1.3 on the server", clause: "RFC 8996"),
    Explanation(
      "unreachable", "there is no route to the address",
      why: "the network does not lead there", mend: "check the network, and IPv4 against IPv6"),
  ]
}
