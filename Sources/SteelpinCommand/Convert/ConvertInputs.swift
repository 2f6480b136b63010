// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

/// What the operands of `convert` hold: files, directories, standard input and servers.
struct ConvertInputs: Sendable {
  private(set) var certificates: [Certificate] = []
  private(set) var notes: [LoadNote] = []
  /// Where each certificate stood first.
  private(set) var places: [Certificate: String] = [:]
  /// How many certificates had been seen before.
  private(set) var duplicates = 0

  private let invocation: Invocation
  private let isHeap: Bool
  private let loader: CertificateLoader

  init(_ invocation: Invocation, password: [UInt8]?) {
    self.invocation = invocation
    self.isHeap = invocation.arguments.has(.bundle)
    self.loader = CertificateLoader(
      isStrict: invocation.arguments.has(.strict), pkcs12: invocation.backends.lazy.compactMap(\.pkcs12).first,
      password: password)
  }

  /// Takes everything that an operand names.
  mutating func add(_ operand: String) async throws(CommandError) {
    if operand != "-", DirectoryReader.isDirectory(operand) {
      try addDirectory(operand)
    } else if Inputs.isFile(operand) {
      try rethrow { (inputs) throws(LoadError) in try inputs.addFile(operand) }
    } else {
      try await addServer(operand)
    }
  }

  private mutating func rethrow(_ body: (inout ConvertInputs) throws(LoadError) -> Void) throws(CommandError) {
    do throws(LoadError) {
      try body(&self)
    } catch {
      throw CommandError(error)
    }
  }

  private mutating func addFile(_ path: String) throws(LoadError) {
    let file = try loader.load(FileReader().read(path), name: FileReader.name(of: path))
    notes += file.notes.filter { $0.code != .duplicate }
    for loaded in file.certificates { add(loaded.certificate, from: "\(loaded.place)") }
  }

  /// Takes the certificate files of a directory in the order of their names; what holds no certificate is passed over
  /// and said, what is unreadable is an error. What is damaged is one too, but is passed over in a heap, out of which
  /// only one chain is wanted.
  private mutating func addDirectory(_ path: String) throws(CommandError) {
    let before = certificates.count + duplicates
    try rethrow { (inputs) throws(LoadError) in
      for name in try DirectoryReader.names(in: path) {
        let file = path + "/" + name
        guard !DirectoryReader.isDirectory(file) else {
          inputs.invocation.printer.note("\(file) is a directory, which was passed over")
          continue
        }
        if let oddity = DirectoryReader.oddity(of: file) {
          inputs.invocation.printer.note("\(file) is \(oddity), which was passed over")
          continue
        }
        do throws(LoadError) {
          try inputs.addFile(file)
        } catch {
          guard inputs.passesOver(error), !inputs.loader.isStrict else { throw error }
          inputs.invocation.printer.note("passed over: \(error.message)")
        }
      }
    }
    guard certificates.count + duplicates > before else {
      throw CommandError(
        .badData, code: "not-a-certificate", "\(path): no file in this directory holds a certificate",
        hint: "check that it is the directory you mean")
    }
  }

  private func passesOver(_ error: LoadError) -> Bool {
    switch error.code {
    case .empty, .notCertificate, .unknownContent, .unsupported: true
    case .backendUnavailable, .directory, .fileMissing, .inputOutput, .permission, .timeout: false
    default: isHeap
    }
  }

  private mutating func addServer(_ operand: String) async throws(CommandError) {
    let connections = try ConnectionOptions(invocation)
    for connection in await connections.connect(try connections.target(operand)) {
      if let failure = connection.failure { throw CommandError(failure) }
      for element in connection.chain.elements {
        switch element {
        case .certificate(let certificate): add(certificate, from: operand)
        case .malformed(_, let error):
          throw CommandError(
            .badData, code: "malformed-certificate", "\(operand) serves a certificate that is damaged: \(error)")
        }
      }
    }
  }

  private mutating func add(_ certificate: Certificate, from place: String) {
    guard places[certificate] == nil else {
      duplicates += 1
      return
    }
    places[certificate] = place
    certificates.append(certificate)
  }
}
