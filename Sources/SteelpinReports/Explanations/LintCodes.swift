// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes of `pin lint`. Those that are used elsewhere too stand there.
  static let lintCodes: [Explanation] = [
    Explanation(
      "anchor-unreadable", "the certificates of a trust anchor in the configuration cannot be read",
      why: "Android would not start with such a resource, and what it should trust cannot be told",
      mend: "put the file where the configuration says, as PEM or DER"),
    Explanation(
      "backup-in-chain", "a backup pin belongs to a key that is in use",
      why: "the day that this key is lost the backup is lost with it",
      mend: "pin a key that is kept elsewhere; 'steelpin pin backup' makes one", clause: "RFC 7469 2.5"),
    Explanation(
      "certificate-unreadable", "a file among the certificates of an app is none",
      why: "the app passes over it without a word, or crashes at its start",
      mend: "replace the file; 'steelpin convert' makes DER of PEM"),
    Explanation(
      "debug-overrides", "anchors are added in debuggable builds",
      why: "a debuggable build trusts more than the one that ships, so tests with it prove less",
      mend: "test the build that ships"),
    Explanation(
      "exclusion-without-parent", "a host is excepted, but nothing above it is pinned with subdomains",
      why: "the exception does nothing, and TrustKit refuses to start with it",
      mend: "remove it, or pin the parent with its subdomains"),
    Explanation(
      "chain-not-validated", "the chain of the server is not validated",
      why: "only the pin counts, and neither dates, names nor revocation are looked at",
      mend: "remove --insecure; a pin is no reason for it"),
    Explanation(
      "expiry-malformed", "a date of expiry cannot be read",
      why: "Android throws at the start of the app, and TrustKit takes such a date for never",
      mend: "write yyyy-MM-dd"),
    Explanation(
      "host-duplicate", "a host has two entries",
      why: "Android refuses the file, and elsewhere one of the two is not what is enforced",
      mend: "merge the two"),
    Explanation(
      "host-has-port", "a host is written with a port",
      why: "pins are for hosts, so that such an entry is never matched",
      mend: "remove the port"),
    Explanation(
      "host-is-address", "a host is an IP address",
      why: "most systems match names only, so that such an entry is never matched",
      mend: "pin the host by its name"),
    Explanation(
      "host-is-url", "a host is written as a URL",
      why: "such an entry is never matched",
      mend: "leave only the name of the host"),
    Explanation(
      "host-public-suffix", "a host is a public suffix, as com or co.uk",
      why: "its subdomains belong to others, and their servers have other keys",
      mend: "name your own domain"),
    Explanation(
      "host-wildcard", "a host has a wildcard that the format does not know",
      why: "the entry is taken as a name with an asterisk in it, which no host has",
      mend: "name the parent with subdomains, in the way of the format"),
    Explanation(
      "issuer-cycle", "a certificate of a suite is, over its issuers, its own issuer",
      why: "there is none that could be made first", mend: "begin with a certificate that signs itself"),
    Explanation(
      "key-duplicated", "a key stands twice in one object",
      why: "which of the two counts depends on the reader",
      mend: "remove one", clause: "RFC 8259 4"),
    Explanation(
      "key-unknown", "a key is none of those that the format knows",
      why: "it is passed over, and what was meant by it is not enforced",
      mend: "correct its spelling, or remove it"),
    Explanation(
      "leaf-pin-short-lived", "only the leaf's key is pinned, under a certificate that is renewed often",
      why: "a renewal with a new key stops every installed app",
      mend: "renew with the same key, keep a backup pin, or pin an issuer", clause: "CA/Browser Forum BR 6.3.2"),
    Explanation(
      "name-duplicate", "a name stands twice where it must be the only one of its kind",
      why: "which of the two is meant cannot be told", mend: "give one of them another name"),
    Explanation(
      "name-unknown", "a name is used that nothing has", why: "what is meant by it cannot be told",
      mend: "correct its spelling, or declare it"),
    Explanation(
      "pin-all-zero", "a pin is all zero, as in an example",
      why: "no key has that hash",
      mend: "write the pin that 'steelpin pin show HOST' prints"),
    Explanation(
      "pin-base64url", "a pin has the alphabet of base64url",
      why: "the systems compare with base64, so that the pin is never met",
      mend: "write + for - and / for _, with padding", clause: "RFC 4648 5"),
    Explanation(
      "pin-duplicate", "a pin stands twice in one entry",
      why: "a pin that stands twice is no backup",
      mend: "remove one, and add the pin of a backup key", clause: "RFC 7469 2.5"),
    Explanation(
      "pin-hash-of-nothing", "a pin is the SHA-256 of no bytes at all",
      why: "the command that should have hashed the key got no input; no key has that hash",
      mend: "write the pin that 'steelpin pin show HOST' prints"),
    Explanation(
      "pin-hex", "a pin is hexadecimal where base64 is wanted",
      why: "the systems decode it as base64, to other bytes, and the pin is never met",
      mend: "write it in base64, as 'steelpin pin show' prints it"),
    Explanation(
      "pin-is-certificate-hash", "a pin is the hash of a certificate where that of its key is wanted",
      why: "no key has that hash, so the pin is never met",
      mend: "write the pin that 'steelpin pin show' prints for the certificate", clause: "RFC 7469 2.4"),
    Explanation(
      "pin-missing-padding", "a pin has lost its = at the end",
      why: "curl compares text, so that the pin is never met; others may refuse it",
      mend: "add the padding", clause: "RFC 4648 3.2"),
    Explanation(
      "pin-no-backup", "no pin belongs to a key outside the server's chain, or to one that you hold",
      why: "when the key in use is lost or replaced nobody connects, until the app is updated",
      mend: "add the pin of a key that is kept elsewhere; 'steelpin pin backup' makes one", clause: "RFC 7469 2.5"),
    Explanation(
      "pin-not-in-chain", "no pin is met by the chain that the server has now",
      why: "every client with this configuration refuses the server",
      mend: "write the pin that 'steelpin pin show HOST' prints", clause: "RFC 7469 2.6"),
    Explanation(
      "pin-not-literal", "a pin stands in source code as something else than a text",
      why: "what it will be cannot be read here, and is not checked",
      mend: "write it as a literal, or check the app itself"),
    Explanation(
      "pin-set-expired", "the date until which the pins are enforced has passed",
      why: "Android and TrustKit then connect without them and say nothing; other systems refuse",
      mend: "renew the pins and move the date", clause: "MASTG-TEST-0243"),
    Explanation(
      "pin-set-expires-soon", "the date until which the pins are enforced is near",
      why: "installed apps will stop to enforce them, or to connect",
      mend: "release an app with a later date before that day", clause: "MASTG-TEST-0243"),
    Explanation(
      "pin-sha1", "a pin is a SHA-1",
      why: "OkHttp takes it still, no other system does, and collisions of SHA-1 can be made",
      mend: "replace it by the SHA-256 of the same key", clause: "RFC 6194 3.1"),
    Explanation(
      "pin-single", "an entry has one pin only",
      why: "when its key is lost or replaced nobody connects",
      mend: "add the pin of a backup key", clause: "RFC 7469 2.5"),
    Explanation(
      "pin-wrong-algorithm", "a pin has a digest that the format does not know",
      why: "Android refuses the file, other systems never match the pin",
      mend: "write the SHA-256 of the key"),
    Explanation(
      "pin-wrong-length", "a pin has not the 32 bytes of a SHA-256",
      why: "it was cut, or is another hash, and is never met",
      mend: "write the pin that 'steelpin pin show HOST' prints", clause: "FIPS 180-4 1"),
    Explanation(
      "pins-on-one-ca", "all pins are keys of one chain of authorities",
      why: "when that authority is distrusted or leaves, nobody connects",
      mend: "add the pin of another authority, or of a key of your own", clause: "RFC 7469 4.3"),
    Explanation(
      "pins-overridden", "pins do not count for chains that end at some anchors",
      why: "with overridePins whoever has a certificate of such an anchor is accepted, whatever is pinned",
      mend: "remove overridePins, or keep it to an anchor of your own for debugging"),
    Explanation(
      "report-only", "failures of pins are reported and nothing is enforced",
      why: "somebody in the middle is only seen afterwards",
      mend: "enforce the pins once the reports are quiet"),
    Explanation(
      "structure-invalid", "a part stands where the format has no place for it, or is missing",
      why: "the system refuses the file at its start, or passes over the part",
      mend: "correct the structure as the message says"),
    Explanation(
      "value-wrong", "a value is not of the kind that its key takes",
      why: "the system takes its default instead, which may mean that nothing is enforced",
      mend: "write the value as the message says"),
  ]
}
