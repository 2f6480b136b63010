// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats
internal import SteelpinMatrix
internal import SteelpinReports

extension Command {
  /// `steelpin pin backup`.
  static let pinBackup = Command(
    "pin backup", "make a backup key with its request and print its pin", operands: "HOST…", completion: .host,
    notes: """
      Writes PREFIX.key (PKCS#8) and PREFIX.csr (PKCS#10, for the hosts), both with mode 0600; PREFIX is --output, or
      else the first host. Keep the key away from the server; the pin goes into the app, the request waits for the
      day of the rotation.
      """,
    examples: [
      ("steelpin pin backup example.org", "a P-256 key, a request and a pin"),
      ("steelpin pin backup example.org www.example.org --key-type rsa-2048", "for two names, with an RSA key"),
      ("steelpin pin backup example.org --output /secure/backup-2027", "into another place"),
    ],
    options: [.key, .outputPrefix, .backend, .json, .color],
    statuses: [.success, .usage, .backendUnavailable, .internalFault, .wouldOverwrite, .inputOutput]
  ) { (invocation: Invocation) async throws(CommandError) in
    let arguments = invocation.arguments
    guard let first = arguments.operands.first else {
      throw .usage("pin backup needs a host", hint: "steelpin pin backup example.org")
    }
    let prefix = arguments.value(.outputPrefix) ?? first
    guard !prefix.isEmpty, prefix != "-" else {
      throw .usage(
        "--output '\(prefix)' is no prefix of file names: a key is never written to standard output",
        hint: "--output backup-2027 writes backup-2027.key and backup-2027.csr")
    }
    var names: [GeneralNameRecipe] = []
    for operand in arguments.operands {
      switch try HostOptions.host(operand, nil) {
      case .dns(let name): names.append(.dns(name.text))
      case .ipv4(let octets), .ipv6(let octets): names.append(.ipOctets(octets))
      }
    }
    guard let provider = try TrustOptions.backends(invocation).lazy.compactMap(\.keyProvider).first else {
      throw CommandError(
        .backendUnavailable, code: "backend-unavailable", "no library of this build makes keys",
        hint: "'steelpin version' lists the libraries")
    }
    let made = try BackupKey(names, kind: BackupKey.kind(arguments.value(.key)), provider)
    try made.write(prefix)
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("pin backup").adding([
          "pin": .string(made.pin.description), "key": .string(prefix + ".key"), "request": .string(prefix + ".csr"),
        ]))
    } else {
      try invocation.printer.result([[.plain("\(made.pin)  \(prefix).key \(prefix).csr")]])
    }
    return .success
  }
}

/// A key that is in use nowhere yet, and a request for it.
private struct BackupKey {
  let pin: Pin
  private let key: [UInt8]
  private let request: [UInt8]

  init(_ names: [GeneralNameRecipe], kind: KeyKind, _ provider: any KeyProvider) throws(CommandError) {
    do {
      let key = try provider.generateKey(kind)
      self.pin = Pin(.publicKey, SHA256Digest(of: key.publicKeyInfo))
      self.key = try key.pkcs8()
      self.request = try RequestRecipe(names: names).request(key: key)
    } catch {
      throw CommandError(
        .internalFault, code: "backend-failed", "the key could not be made: \(error)", hint: "try the other --backend")
    }
  }

  static func kind(_ name: String?) -> KeyKind {
    switch name {
    case "ed25519": .ed25519
    case "p-384": .ecdsa(bits: 384)
    case "rsa-2048": .rsa(bits: 2048)
    case "rsa-3072": .rsa(bits: 3072)
    default: .ecdsa(bits: 256)
    }
  }

  /// Writes both files for the owner alone; a file that is there is never replaced, since it may be a key in use.
  func write(_ prefix: String) throws(CommandError) {
    do throws(LoadError) {
      for (ending, label, der) in [(".key", "PRIVATE KEY", key), (".csr", "CERTIFICATE REQUEST", request)] {
        var text: [UInt8] = []
        PEMText.append(der, label: label, to: &text)
        try AtomicFile.write(text, to: prefix + ending, mode: 0o600, mayReplace: false)
      }
    } catch {
      guard error.code == .outputExists else { throw CommandError(error) }
      throw CommandError(
        .wouldOverwrite, code: error.code.rawValue, "\(error.message): it may be a key that is in use",
        hint: "choose another place with --output")
    }
  }
}
