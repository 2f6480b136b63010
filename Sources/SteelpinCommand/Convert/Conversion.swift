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
      invocation.printer.note("left out \(Self.count(inputs.duplicates, "certificate")) given more than once")
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
      let leaves = order.leaves(of: all)
      guard leaves.count == 1, let leaf = leaves.first else { throw CertificateOrder.severalLeaves(leaves, name) }
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
      try emit(try request.writer.encode(certificates, name: "standard output"))
      return []
    case .file(let path):
      try AtomicFile.write(request.writer.encode(certificates, name: path), to: path, mayReplace: request.mayReplace)
      return [Written(path: path, certificates: certificates)]
    case .directory(let directory):
      // All are encoded before the first is written: a fault leaves none of them.
      var files: [(written: Written, bytes: [UInt8])] = []
      for (index, certificate) in certificates.enumerated() {
        let path = "\(directory)/\(fileName(of: certificate, index, of: certificates.count))"
        files.append(
          (Written(path: path, certificates: [certificate]), try request.writer.encode([certificate], name: path)))
      }
      try DirectoryReader.makeIfMissing(directory)
      for file in files { try AtomicFile.write(file.bytes, to: file.written.path, mayReplace: request.mayReplace) }
      return files.map(\.written)
    }
  }

  /// As in `00-leaf-api.example.test.pem`, with as many digits as it takes.
  private func fileName(of certificate: Certificate, _ index: Int, of count: Int) -> String {
    let digits = max(2, String(count - 1).count)
    let number = String(index)
    let role =
      certificate.isSelfIssued && certificate.decoded.basicConstraints?.isCA == true
      ? "root" : certificate.decoded.basicConstraints?.isCA == true ? "intermediate" : "leaf"
    let padding = String(repeating: "0", count: max(0, digits - number.count))
    let name = CertificateDescription.fileName(of: certificate)
    return "\(padding)\(number)-\(role)-\(name).\(request.format.fileExtension)"
  }

  private func emit(_ bytes: [UInt8]) throws(LoadError) {
    guard invocation.console.write(bytes, .output) else {
      throw LoadError.standardOutput
    }
  }

  // MARK: Streams

  /// Whether the operand is a large file that goes through in one pass.
  func canStream(_ operand: String) -> Bool {
    let needsAll = request.leafOnly || request.buildsBundle || !request.keepsOrder
    guard !needsAll, BundleConverter.formats.contains(request.format), !invocation.arguments.has(.strict) else {
      return false
    }
    if case .directory = request.destination { return false }
    return FileReader.sizeOfPEM(operand) > 4 << 20
  }

  /// Converts a large bundle in bounded memory.
  func stream(_ operand: String) throws(CommandError) {
    let converter = BundleConverter(request.writer, leavesOutRoots: request.leavesOutRoots)
    let outcome: BundleConverter.Outcome
    do throws(LoadError) {
      if case .file(let path) = request.destination {
        let file = try AtomicFile(path, mayReplace: request.mayReplace)
        outcome = try converter.convert(operand) { (piece) throws(LoadError) in try file.append(piece) }
        try file.commit()
      } else {
        outcome = try converter.convert(operand) { (piece) throws(LoadError) in try emit(piece) }
      }
    } catch {
      throw CommandError(error)
    }
    if outcome.duplicates > 0 {
      invocation.printer.note("left out \(Self.count(outcome.duplicates, "certificate")) given more than once")
    }
    for (kind, count) in outcome.others.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      invocation.printer.note(
        "warning: \(operand) holds \(kind.phrase) \(count == 1 ? "" : "\(count) times"), not written")
    }
    guard case .file(let path) = request.destination else { return }
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("convert").adding([
          "format": .string(request.format.rawValue),
          "files": [["path": .string(path), "certificates": .integer(outcome.count)]],
          "duplicates": .integer(outcome.duplicates),
        ]))
    } else {
      try invocation.printer.result([[.bold(path), .plain("  \(Self.count(outcome.count, "certificate"))")]])
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
            .plain("  \(Self.count(file.certificates.count, "certificate")), \(request.format.rawValue)"),
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

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
