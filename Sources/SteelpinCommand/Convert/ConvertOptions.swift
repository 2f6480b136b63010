// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

/// The options of `steelpin convert`.
extension Option {
  static let bundle = Option(
    flag: "bundle", "build the best chain out of a heap of files; say what is missing and what is left over")
  static let comments = Option(flag: "comments", "write the subject's name before each certificate or pin")
  static let dryRun = Option(flag: "dry-run", "write nothing, and list the files that would be written")
  static let force = Option(flag: "force", "replace files that exist")
  static let leaf = Option(
    "leaf", "NAME", completion: .host,
    "with --bundle: build the chain of the certificate for this host, or with this common name or SHA-256 fingerprint")
  static let leafOnly = Option(flag: "leaf-only", "write the leaf and nothing else")
  static let noRoot = Option(flag: "no-root", "leave out certificates that issued themselves")
  static let order = Option(
    "order", oneOf: ["as-given", "leaf-first"], "the order of the certificates (default: leaf-first)")
  static let outputFile = Option(
    "output", "FILE", completion: .file, "write to FILE, also -o FILE; - or nothing is standard output")
  static let split = Option(
    "split", "DIR", completion: .file, "write each certificate to a file of its own in DIR, as 00-leaf-NAME.pem")
  static let strict = Option(flag: "strict", "forgive nothing in the inputs")
  static let to = Option(
    "to", oneOf: CertificateFormat.allCases.map(\.rawValue),
    "the format to write (default: by the name of the output, else pem)")
}

/// What `--leaf` asks for.
struct LeafChoice: Sendable {
  let text: String
  private let host: HostName?
  private let fingerprint: [UInt8]?

  init(_ text: String) throws(CommandError) {
    guard !text.isEmpty else { throw .usage("--leaf needs a name", hint: "--leaf api.example.org") }
    self.text = text
    self.host = try? HostName(text)
    let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
    self.fingerprint = digits.count == 64 ? Hex.decode(digits) : nil
  }

  /// Whether the certificate is for the host, or has the common name or the fingerprint.
  func matches(_ certificate: Certificate) -> Bool {
    if let fingerprint { return Array(certificate.sha256.octets) == fingerprint }
    if certificate.subject.commonName?.lowercased() == text.lowercased() { return true }
    return host.map { HostNameMatcher.matches($0, certificate.decoded.subjectAlternativeNames ?? []) } ?? false
  }
}

extension LoadError {
  /// No certificate of a heap is the one that was asked for.
  static func noSuchLeaf(_ wanted: String, _ name: String, _ leaves: [Certificate]) -> LoadError {
    let names = leaves.prefix(3).map(CertificateDescription.name).joined(separator: ", ")
    let more = leaves.count > 3 ? ", and \(leaves.count - 3) more" : ""
    return .unsuitable(
      name, "holds no certificate for '\(PrintableText.escape(wanted))'", remedy: "its leaves are \(names)\(more)")
  }
}

/// What a command line asks `convert` to write.
struct ConvertRequest: Sendable {
  /// Where the result goes.
  enum Destination: Sendable, Hashable {
    case directory(String)
    case file(String)
    case standardOutput
  }

  let destination: Destination
  let format: CertificateFormat
  let mayReplace: Bool
  let isDryRun: Bool
  let keepsOrder: Bool
  let leavesOutRoots: Bool
  let leafOnly: Bool
  let buildsBundle: Bool
  let leaf: LeafChoice?
  let writer: CertificateWriter
  /// The password of what is read and written; it is asked for once.
  let password: [UInt8]?

  init(_ invocation: Invocation) throws(CommandError) {
    let arguments = invocation.arguments
    if let directory = arguments.value(.split) {
      guard !arguments.has(.outputFile) else {
        throw .usage("--split and --output exclude each other", hint: "--split names its files itself")
      }
      destination = .directory(directory)
    } else if let name = arguments.value(.outputFile), name != "-" {
      destination = .file(name)
    } else {
      destination = .standardOutput
    }
    format = try Self.format(arguments, destination)
    keepsOrder = arguments.value(.order) == "as-given"
    leavesOutRoots = arguments.has(.noRoot)
    leafOnly = arguments.has(.leafOnly)
    buildsBundle = arguments.has(.bundle)
    leaf = try arguments.value(.leaf).map { (text) throws(CommandError) in try LeafChoice(text) }
    guard leaf == nil || buildsBundle else {
      throw .usage("--leaf chooses among the leaves of a bundle", hint: "give --bundle, too")
    }
    mayReplace = arguments.has(.force)
    isDryRun = arguments.has(.dryRun)
    guard !(buildsBundle && keepsOrder) else {
      throw .usage("--bundle and --order as-given exclude each other", hint: "a bundle is in the order of its chain")
    }
    if destination == .standardOutput {
      guard !isDryRun else {
        throw .usage("--dry-run lists files, so --output or --split is needed")
      }
      guard !invocation.wantsJSON else {
        throw .usage("--json describes what was written, so --output or --split is needed")
      }
      guard !([.der, .pkcs7, .pkcs12].contains(format) && invocation.console.isTerminal(.output)) else {
        throw .usage("\(format.rawValue) is binary and would garble the terminal", hint: "give --output FILE")
      }
    }
    guard format != .pkcs12 || arguments.value(.passwordFile) != nil else {
      throw .usage("PKCS#12 needs a password", hint: "give --password-file FILE; its first line is the password")
    }
    password = try Inputs.password(invocation)
    writer = CertificateWriter(
      format, hasComments: arguments.has(.comments), pkcs12: invocation.backends.lazy.compactMap(\.pkcs12).first,
      password: password ?? [])
  }

  private static func format(
    _ arguments: ParsedArguments, _ destination: Destination
  ) throws(CommandError) -> CertificateFormat {
    if let format = arguments.value(.to).flatMap({ CertificateFormat(rawValue: $0) }) { return format }
    guard case .file(let name) = destination else { return .pem }
    if name.lowercased().hasSuffix(".jks") {
      throw .usage(
        "Java key stores are read, not written", hint: "write PKCS#12, which Java reads: --to pkcs12 -o trust.p12")
    }
    return CertificateFormat(fileName: name) ?? .pem
  }
}
