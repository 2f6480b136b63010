// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats
internal import SteelpinReports

extension Command {
  /// `steelpin pin show`.
  static let pinShow = Command(
    "pin show", "print the pins of servers and files", operands: "HOST[:PORT]|FILE…", completion: .file,
    notes: """
      Certificates, certificate requests and public keys have pins. The first word of a line is the pin, so the
      output can be given to --pin @FILE. A pin that a server shows proves nothing about the server: compare it
      with the key that you meant to deploy. 'cert-sha256/' names the whole certificate, see --verbose.
      """,
    examples: [
      ("steelpin pin show example.org", "of every certificate that the server sends, the leaf first"),
      ("steelpin pin show request.csr", "of a key before its certificate is issued: the backup pin"),
      ("openssl pkey -in key.pem -pubout | steelpin pin show -", "of a private key, which never leaves openssl"),
    ],
    options: .connection + [.passwordFile] + .output,
    statuses: [.success, .unreachable, .noTLS, .usage, .badData, .inputMissing, .backendUnavailable]
  ) { (invocation: Invocation) async throws(CommandError) in
    guard !invocation.arguments.operands.isEmpty else {
      throw .usage("pin show needs a host or a file", hint: "steelpin pin show example.org")
    }
    let inputs = try Inputs(invocation)
    let connections = try ConnectionOptions(invocation)
    var statuses: [ExitCode] = []
    var documents: [JSONValue] = []
    for operand in invocation.arguments.operands {
      let pinned: [PinnedKey]
      if Inputs.isFile(operand) {
        let file = try inputs.file(operand)
        pinned = PinnedKey.all(in: file)
        guard !pinned.isEmpty else { throw nothing(in: file, operand) }
      } else {
        let served = await connections.connect(try connections.target(operand))
        var seen = Set<Certificate>()
        pinned = served.flatMap(\.chain.certificates).filter { seen.insert($0).inserted }.map { PinnedKey($0) }
        let errors = served.compactMap(\.failure).map { CommandError($0) } + served.flatMap(unreadable)
        statuses += errors.map(\.status)
        for error in errors { invocation.printer.report(error) }
      }
      if invocation.wantsJSON {
        documents.append(["target": .string(operand), "keys": .array(pinned.map(\.json))])
      } else {
        try invocation.printer.result(pinned.flatMap { $0.lines(isVerbose: invocation.isVerbose) })
      }
    }
    let status = ExitCode.worst(statuses)
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("pin show").adding([
          "status": .integer(Int(status.rawValue)), "targets": .array(documents),
        ]))
    }
    return status
  }

  /// A file of which no pin can be shown; an empty list must not go unnoticed.
  private static func nothing(in file: LoadedFile, _ name: String) -> CommandError {
    let held = file.others.map(\.kind.phrase).joined(separator: ", ")
    return CommandError(
      .badData, code: "nothing-to-pin", "\(name) holds \(held.isEmpty ? "nothing" : held), of which no pin is shown",
      hint: file.others.contains { $0.kind == .privateKey }
        ? "openssl pkey -in \(name) -pubout | steelpin pin show -"
        : "give a certificate, a certificate request or a public key")
  }

  /// What was served but has no pin, since it cannot be read; a shorter list must not go unnoticed.
  private static func unreadable(_ connection: Connection) -> [CommandError] {
    connection.chain.elements.enumerated().compactMap { index, element in
      guard case .malformed(_, let error) = element else { return nil }
      return CommandError(
        .badData, code: "certificate-malformed",
        "\(connection.target.title): certificate \(index) of those served cannot be read: \(error)",
        hint: "'steelpin inspect' shows the others")
    }
  }
}

/// A key that can be pinned, and whose it is.
private struct PinnedKey: Sendable {
  let pin: Pin
  let certificatePin: Pin?
  let owner: String
  let kind: String

  init(_ certificate: Certificate) {
    self.pin = Pin(.publicKey, of: certificate)
    self.certificatePin = Pin(.certificate, of: certificate)
    self.owner = CertificateText.subject(certificate)
    self.kind = "\(certificate.publicKey.kind)"
  }

  init(_ key: PublicKeyInfo, owner: String) {
    self.pin = Pin(.publicKey, key.sha256)
    self.certificatePin = nil
    self.owner = owner
    self.kind = "\(key.kind)"
  }

  static func all(in file: LoadedFile) -> [PinnedKey] {
    file.certificates.map { PinnedKey($0.certificate) }
      + file.others.compactMap { item in item.publicKey.map { PinnedKey($0, owner: "(\(item.kind.phrase))") } }
  }

  func lines(isVerbose: Bool) -> [[Span]] {
    var lines: [[Span]] = [[.plain("\(pin)  "), .dim("\(kind)  \(owner)")]]
    if isVerbose, let certificatePin {
      lines.append([.plain("\(certificatePin)  "), .dim("the same certificate, whole")])
    }
    return lines
  }

  var json: JSONValue {
    [
      "pin": .string(pin.description), "certificatePin": .optional(certificatePin?.description),
      "key": .string(kind), "owner": .string(owner),
    ]
  }
}
