// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats
internal import SteelpinReports

/// One run of `convert`: what is chosen of the inputs, and how it is written and reported.
struct Conversion: Sendable {
  private let invocation: Invocation
  private let request: ConvertRequest

  init(_ invocation: Invocation, _ request: ConvertRequest) {
    self.invocation = invocation
    self.request = request
  }

  /// One file that was written.
  private struct Written {
    let path: String
    let certificates: [Certificate]
  }

  /// The certificates to write, and what a bundle lacks or has too much of.
  private struct Selection {
    var certificates: [Certificate]
    var leftOver: [Certificate] = []
    var missingIssuerOf: Certificate?
  }

  /// Chooses, orders and writes.
  func convert(_ inputs: ConvertInputs, name: String) throws(CommandError) {
    for note in inputs.notes where note.severity == .warning || invocation.isVerbose {
      invocation.printer.note("\(note.severity.rawValue): \(note.place): \(note.text)")
    }
    if inputs.duplicates > 0 {
      invocation.printer.note("left out \(Counted.text(inputs.duplicates, "certificate")) given more than once")
    }
    let selection: Selection
    let written: [Written]
    do throws(LoadError) {
      selection = try select(inputs.certificates, name: name)
      written = try write(selection.certificates)
    } catch {
      throw CommandError(error)
    }
    try report(selection, written, inputs)
  }

  // MARK: Choosing

  private func select(_ all: [Certificate], name: String) throws(LoadError) -> Selection {
    let order = CertificateOrder(at: invocation.now, isSigned: signatureTest())
    var selection = Selection(certificates: all)
    if request.buildsBundle {
      let leaf = try chosenLeaf(order, all, name)
      let chain = order.chain(from: leaf, through: all)
      selection = Selection(
        certificates: chain.path, leftOver: chain.leftOver,
        missingIssuerOf: chain.isComplete ? nil : chain.path.last)
    } else if !request.keepsOrder {
      selection.certificates = try order.leafFirst(all, name: name)
    }
    if request.leafOnly { selection.certificates = Array(selection.certificates.prefix(1)) }
    if request.leavesOutRoots { selection.certificates.removeAll { $0.isSelfIssued } }
    return selection
  }

  /// The one leaf of a heap, or the one that `--leaf` names: of several for the same name the one that is valid, whose
  /// issuers are there, and that was issued last.
  private func chosenLeaf(
    _ order: CertificateOrder, _ all: [Certificate], _ name: String
  ) throws(LoadError) -> Certificate {
    let leaves = order.leaves(of: all)
    guard let wanted = request.leaf else {
      guard leaves.count == 1, let leaf = leaves.first else {
        throw CertificateOrder.severalLeaves(
          leaves, name, remedy: "choose one with --leaf NAME, as in --leaf api.example.org")
      }
      return leaf
    }
    let now = invocation.now
    func rank(_ certificate: Certificate) -> (Int, Int, Int64) {
      let isComplete = order.chain(from: certificate, through: all).isComplete ? 1 : 0
      guard let start = certificate.validity.notBefore, let end = certificate.validity.notAfter else {
        return (0, isComplete, 0)
      }
      return (start <= now && now <= end ? 1 : 0, isComplete, Int64(start.secondsSince1970))
    }
    let ranked = all.filter(wanted.matches).map { (certificate: $0, rank: rank($0)) }
    guard let best = ranked.max(by: { $0.rank < $1.rank }) else {
      throw LoadError.noSuchLeaf(wanted.text, name, leaves)
    }
    return best.certificate
  }

  /// Whether one certificate's key signed the other, by the first backend; without one, names decide.
  private func signatureTest() -> CertificateOrder.SignatureTest {
    guard let evaluator = invocation.backends.first?.makeEvaluator(nil) else { return { _, _ in true } }
    return { subject, issuer in
      let check = try? evaluator.check(
        signature: subject.signature, algorithm: subject.signatureAlgorithm, over: subject.tbsCertificate,
        by: issuer.publicKey)
      // An algorithm that the library does not know says nothing against the link.
      if case .invalid = check { return false }
      return true
    }
  }

  // MARK: Writing

  private func write(_ certificates: [Certificate]) throws(LoadError) -> [Written] {
    switch request.destination {
    case .standardOutput:
      try invocation.emit(try request.writer.encode(certificates, name: "standard output"))
      return []
    case .file(let path):
      let bytes = try request.writer.encode(certificates, name: path)
      if request.isDryRun {
        try AtomicFile.check(path, mayReplace: request.mayReplace)
      } else {
        try AtomicFile.write(bytes, to: path, mayReplace: request.mayReplace)
      }
      return [Written(path: path, certificates: certificates)]
    case .directory(let directory):
      guard !certificates.isEmpty else { throw LoadError.nothingToWrite(directory) }
      let digits = SplitName.digits(forCount: certificates.count)
      let files = try SplitDirectory(directory, mayReplace: request.mayReplace, isDryRun: request.isDryRun)
      for (index, certificate) in certificates.enumerated() {
        let name = SplitName.of(CertificateLabel(certificate), index, digits: digits, request.format)
        try files.add(request.writer.encode([certificate], name: "\(directory)/\(name)"), as: name)
      }
      try files.commit()
      return zip(files.names, certificates).map { Written(path: "\(directory)/\($0)", certificates: [$1]) }
    }
  }

  // MARK: Reporting

  private func report(_ selection: Selection, _ written: [Written], _ inputs: ConvertInputs) throws(CommandError) {
    for certificate in selection.leftOver {
      invocation.printer.note(
        "left over: \(CertificateDescription.name(of: certificate)) (\(inputs.places[certificate] ?? ""))")
    }
    if let last = selection.missingIssuerOf {
      let link = last.decoded.issuerAddresses.first.map { "; its issuer says it is at \($0)" } ?? ""
      invocation.printer.note(
        "missing: the issuer of \(CertificateDescription.name(of: last)), which is \(CertificateDescription.issuerName(of: last))\(link)"
      )
    }
    if invocation.wantsJSON {
      try invocation.printer.result(json(selection, written, inputs))
    } else {
      try invocation.printer.result(
        written.map { file in
          [
            .bold(file.path),
            .plain("  \(Counted.text(file.certificates.count, "certificate")), \(request.format.rawValue)"),
          ]
        })
    }
  }

  private func json(_ selection: Selection, _ written: [Written], _ inputs: ConvertInputs) -> JSONValue {
    func describe(_ certificate: Certificate) -> JSONValue {
      [
        "name": .string(CertificateDescription.name(of: certificate)), "sha256": .string(certificate.sha256.hex),
        "pin": .string(Pin(.publicKey, of: certificate).description),
        "from": .optional(inputs.places[certificate]),
      ]
    }
    return JSONSchema.document("convert").adding([
      "format": .string(request.format.rawValue),
      "files": .array(
        written.map { ["path": .string($0.path), "certificates": .array($0.certificates.map(describe))] }),
      "duplicates": .integer(inputs.duplicates),
      "leftOver": .array(selection.leftOver.map(describe)),
      "missingIssuer": .optional(selection.missingIssuerOf.map(CertificateDescription.issuerName)),
      "notes": .array(
        inputs.notes.map {
          [
            "code": .string($0.code.rawValue), "severity": .string($0.severity.rawValue),
            "place": .string($0.place.description), "text": .string($0.text),
          ]
        }),
    ])
  }
}
