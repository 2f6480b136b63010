// SPDX-License-Identifier: Apache-2.0
private import Glibc
internal import Steelpin
internal import SteelpinFormats

/// The files that a command line names.
struct Inputs: Sendable {
  private let loader: CertificateLoader
  private let printer: Printer

  /// Reads the password of `--password-file`, if there is one.
  init(_ invocation: Invocation) throws(CommandError) {
    self.printer = invocation.printer
    self.loader = CertificateLoader(
      pkcs12: invocation.backends.lazy.compactMap(\.pkcs12).first, password: try Self.password(invocation))
  }

  /// The password that `--password-file` names: the first line of a file, or of what is typed; nil without the option.
  static func password(_ invocation: Invocation) throws(CommandError) -> [UInt8]? {
    guard let name = invocation.arguments.value(.passwordFile) else { return nil }
    if name == "-", let typed = try PasswordPrompt.ask(invocation.console) { return typed }
    return Array(try read(name).prefix { $0 != 0x0A && $0 != 0x0D })
  }

  /// The bytes of a file, or of standard input for `-`.
  func bytes(of name: String) throws(CommandError) -> [UInt8] { try Self.read(name) }

  /// What a file holds, be it certificates, requests or keys.
  func file(_ name: String) throws(CommandError) -> LoadedFile {
    let bytes = try Self.read(name)
    do throws(LoadError) {
      return try loader.examine(bytes, name: FileReader.name(of: name))
    } catch {
      throw CommandError(error)
    }
  }

  /// The certificates of all files, in order; a file without any is an error.
  func certificates(ofAll names: [String]) throws(CommandError) -> [Certificate] {
    var certificates: [Certificate] = []
    for name in names { certificates += try self.certificates(in: Self.read(name), of: name) }
    return certificates
  }

  /// The certificates in the bytes of a file; none is an error.
  func certificates(in bytes: [UInt8], of name: String) throws(CommandError) -> [Certificate] {
    do throws(LoadError) {
      let file = try loader.load(bytes, name: FileReader.name(of: name))
      for note in file.notes where note.severity == .warning { printer.note("warning: \(note.place): \(note.text)") }
      return file.certificates.map(\.certificate)
    } catch {
      throw CommandError(error)
    }
  }

  /// The one private key of a file, PKCS#8 DER.
  func privateKey(of name: String) throws(CommandError) -> [UInt8] {
    let bytes = try Self.read(name)
    do throws(LoadError) {
      return try PrivateKeyFile.pkcs8(in: bytes, name: FileReader.name(of: name))
    } catch {
      throw CommandError(error)
    }
  }

  /// The certificates of all files as one chain, the leaf first.
  func chain(ofAll names: [String]) throws(CommandError) -> CertificateChain {
    CertificateChain(try certificates(ofAll: names))
  }

  /// The system's anchors, or with names those that may have one of them; nil if there are none.
  func systemAnchors(for names: Set<DistinguishedName>? = nil) -> AnchorSet? {
    let system = names.map { SystemAnchors.load(for: $0) } ?? SystemAnchors.load()
    for note in system.notes where note.severity == .warning { printer.note("warning: \(note.place): \(note.text)") }
    return system.anchors.isEmpty ? nil : system.anchors
  }

  private static func read(_ name: String) throws(CommandError) -> [UInt8] {
    do throws(LoadError) {
      return try FileReader().read(name)
    } catch {
      throw CommandError(error)
    }
  }

  /// Whether an operand that may be a host or a file is a file: it exists, or it looks like a path.
  static func isFile(_ operand: String) -> Bool {
    if operand == "-" { return true }
    if operand.contains("://") || operand.utf8.contains(0) { return false }
    if unsafe access(operand, F_OK) == 0 { return true }
    let endings = [".cer", ".crt", ".csr", ".der", ".jks", ".p12", ".p7b", ".p7c", ".pem", ".pfx", ".pub"]
    return operand.contains("/") || endings.contains { operand.lowercased().hasSuffix($0) }
  }
}

extension CommandError {
  /// A file that could not be loaded.
  init(_ error: LoadError) {
    self.init(
      ExitCode(rawValue: error.code.exitStatus) ?? .badData, code: error.code.rawValue,
      error.reason.map { "\(error.message); \($0)" } ?? error.message, hint: error.remedy)
  }
}
