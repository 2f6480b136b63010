// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Every option, once. Names are curl's where curl has the option.
extension Option {
  // Output, for every command.
  static let color = Option("color", oneOf: ["auto", "always", "never"], "colour the output; auto obeys NO_COLOR")
  static let help = Option(flag: "help", "show this help")
  static let json = Option(flag: "json", "write JSON (schema steelpin/1) instead of text")
  static let verbose = Option(flag: "verbose", "say more: connection, every path tried, what the libraries said")

  // Trust.
  static let allPaths = Option(flag: "all-paths", "judge every path to an anchor, not only the first acceptable one")
  static let anyHost = Option(flag: "any-host", "check that the certificate is for TLS servers, but not for which")
  static let at = Option("at", "DATE", "judge at this time, not now: 2027-03-01, RFC 3339, or @ and seconds since 1970")
  static let backend = Option("backend", "NAME", completion: .suggested(["both", "gnutls", "openssl"]), backendHelp)
  static let cacert = Option(
    "cacert", "FILE", repeatable: true, completion: .file, "trust the certificates of FILE, and only these")
  static let crl = Option(
    "crl", "FILE", repeatable: true, completion: .file,
    "judge revocation by the lists and OCSP responses of FILE; certificates in it may sign them")
  static let failOn = Option("fail-on", oneOf: ["warning"], "end with status 12 when there is a warning")
  static let host = Option("host", "HOST", completion: .host, "the host that the certificate must be for")
  static let noDomain = Option(flag: "no-domain", "check neither host name nor purpose: plain X.509")
  static let pin = Option(
    "pin", "PIN", repeatable: true,
    "require this pin: sha256/BASE64, sha256//BASE64, 64 hexadecimal digits, or @FILE with one a line")
  static let pinCert = Option(
    "pin-cert", "FILE", repeatable: true, completion: .file,
    "require the leaf to be a certificate of FILE, byte for byte")
  static let pinScope = Option("pin-scope", oneOf: ["any", "issuers", "leaf"], "where pins may be met (default: any)")
  static let preset = Option(
    "preset", "NAME", completion: .suggested(NamedPreset.all.map(\.name)),
    "decide as another system does, as in afnetworking-certificate+allow-invalid, with --cacert, --pin-cert and --pin")
  static let profile = Option(
    "profile", oneOf: ["apple", "rfc5280", "standard", "webPKI"], "which rules may object (default: standard)")
  static let revocation = Option(
    "revocation", oneOf: RevocationPolicy.Mode.allCases.map(\.rawValue),
    "which evidence of revocation counts; each includes those before it, and only online fetches any (default: off)")
  static let revocationFail = Option(
    "revocation-fail", oneOf: RevocationPolicy.Failure.allCases.map(\.rawValue),
    "what it means if no evidence tells the status: hard refuses, soft warns (default: soft)")
  static let withSystemAnchors = Option(
    flag: "with-system-anchors", "with --cacert: trust the system's anchors, too")

  // Connection.
  static let allAddresses = Option(flag: "all-addresses", "check every address of the name, not only the first")
  static let clientCertificate = Option(
    "cert", "FILE", completion: .file, "prove who we are with the certificates of FILE, to a server that asks")
  static let clientKey = Option(
    "key", "FILE", completion: .file, "with --cert: the private key, PKCS#8 (default: in the file of --cert)")
  static let connectTo = Option(
    "connect-to", "HOST1:PORT1:HOST2:PORT2", repeatable: true,
    "connect to HOST2:PORT2 instead of HOST1:PORT1; empty parts match all or change nothing")
  static let engine = Option("engine", "NAME", completion: .suggested(["gnutls", "openssl"]), engineHelp)
  static let maxTime = Option("max-time", "SECONDS", "give up a target after this time (default: 10; lab: 60 in all)")
  static let record = Option(
    "record", "FILE", completion: .file, "keep what the servers sent in FILE, so that it can be judged again offline")
  static let resolve = Option(
    "resolve", "HOST:PORT:ADDRESS", repeatable: true, "use ADDRESS for HOST:PORT instead of asking the resolver")
  static let serverName = Option("servername", "NAME", completion: .host, "send NAME as the server name (SNI)")
  static let verifyName = Option(
    "verify-name", "NAME", completion: .host, "check the certificate for NAME instead of the host connected to")

  // Input.
  static let passwordFile = Option(
    "password-file", "FILE", completion: .file,
    "read the password of a PKCS#12 file from the first line of FILE; - asks at a terminal")

  // Matrix.
  static let builtin = Option(flag: "builtin", "the cases that Steelpin brings")
  static let filter = Option("filter", "TEXT", "only rows whose chain or policy has TEXT in its name")

  private static let backendHelp = "the library that judges: openssl, gnutls, or both, which must agree (default: both)"
  private static let engineHelp = "the library that performs the handshake: openssl or gnutls (default: openssl)"
}

/// Options that go together.
extension [Option] {
  static let output: [Option] = [.json, .verbose, .color, .help]
  static let trust: [Option] = [
    .pin, .pinCert, .pinScope, .cacert, .withSystemAnchors, .noDomain, .anyHost, .at, .profile, .preset, .revocation,
    .revocationFail, .crl, .backend, .failOn,
  ]
  static let connection: [Option] = [
    .engine, .serverName, .connectTo, .resolve, .allAddresses, .maxTime, .clientCertificate, .clientKey,
  ]
}
