// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about pins.
  static let pinCodes: [Explanation] = [
    Explanation(
      "key-forbidden", "a key that the pin configuration forbids is on the path",
      why: "the chain is trusted, but the configuration says that this key must not be used any more",
      mend: "if the key is sound, take it off the list of forbidden ones; else find out who answers here"),
    Explanation(
      "pin-mismatch", "no configured pin is met on the path",
      why: "a client with these pins refuses the server, though its chain is trusted",
      mend: "if the key was changed on purpose, ship the new pin before the key; else find out who answers here",
      clause: "RFC 7469 2.6"),
    Explanation(
      "pin-on-some-paths", "a pin is met on one acceptable path and not on another",
      why: "a client that knows other roots, or builds its path in another order, takes the path without the pin",
      mend: "pin the leaf's key or a certificate that is on every path", clause: "RFC 4158 1.5"),
    Explanation(
      "pin-set-empty", "pinning is configured without a pin",
      why: "an empty set is a mistake and never means that there is no pinning",
      mend: "configure at least one pin, and a backup pin whose key is kept elsewhere", clause: "RFC 7469 2.5"),
    Explanation(
      "nothing-to-pin", "a file has neither a certificate, nor a request, nor a public key",
      why: "an empty list of pins would be taken for a success",
      mend: "for a private key: openssl pkey -in key.pem -pubout | steelpin pin show -"),
    Explanation(
      "pin-malformed", "a pin is not the SHA-256 of a key in base64 or hexadecimal",
      why: "a pin that cannot be read would be met by nothing",
      mend: "'steelpin pin show' prints the pin of a host or file in the right spelling", clause: "RFC 7469 2.4"),
    Explanation(
      "pin-list-empty", "a list of pins, of a configuration or of the file of --pin @FILE, has no pin in it",
      why: "an empty list is a mistake: NSPinnedDomains blocks every connection with one, Android pins nothing",
      mend: "add pins, or remove the list; in a file write one pin a line, and # before comments"),
  ]
}
