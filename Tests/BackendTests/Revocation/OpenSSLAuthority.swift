// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinTestSupport
import Testing

/// A certificate authority kept by `openssl ca`, with a responder whose answers `openssl ocsp` makes, served on loopback.
final class OpenSSLAuthority: Sendable {
  /// Who signs the answers.
  enum Signer: String, Sendable, CaseIterable {
    /// The authority itself.
    case root
    /// One with a certificate for it.
    case responder
    /// One with a certificate of the same authority for something else.
    case good
  }

  let root: Certificate
  private let directory: ScratchDirectory
  private let server: LoopbackHTTPServer

  /// Makes the root, and the certificates `good`, `revoked` and `responder`.
  ///
  /// Every certificate names a responder that signs by the given key, and the URL of the list.
  init(signer: Signer = .root, minutes: Int = 60) throws {
    let directory = try ScratchDirectory()
    self.directory = directory
    server = try LoopbackHTTPServer { request in
      guard request.method == "POST" else {
        return .init((try? directory.read("list.der")) ?? [], status: request.path == "/list" ? 200 : 404)
      }
      let answer = try? Self.answer(request.body, signer, minutes, in: directory)
      return .init(answer ?? [], status: answer == nil ? 500 : 200)
    }
    _ = try directory.write(Array(Self.configuration(server.url).utf8), as: "ca.cnf")
    _ = try directory.write([], as: "index.txt")
    _ = try directory.write(Array("1000\n".utf8), as: "serial")
    _ = try directory.write(Array("01\n".utf8), as: "crlnumber")
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", "ca.cnf"]
    try Self.run(
      ["req", "-x509"] + key + ["-keyout", "root.key", "-out", "root.pem", "-subj", "/CN=root", "-extensions", "root"],
      in: directory)
    root = try Self.certificate("root", in: directory)
    for (name, section) in [("good", "leaf"), ("revoked", "leaf"), ("responder", "responder"), ("unknown", "leaf")] {
      try Self.run(
        ["req", "-new"] + key + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"], in: directory
      )
      // What is issued beside the database is unknown to the responder.
      if name == "unknown" { try Self.run(["ca", "-config", "ca.cnf", "-gencrl", "-out", "list.pem"], in: directory) }
      let database = try directory.read("index.txt")
      try Self.run(
        [
          "ca", "-batch", "-notext", "-config", "ca.cnf", "-extensions", section, "-in", "\(name).csr", "-out",
          "\(name).pem",
        ],
        in: directory)
      if name == "unknown" { _ = try directory.write(database, as: "index.txt") }
    }
    try Self.run(["ca", "-config", "ca.cnf", "-revoke", "revoked.pem", "-crl_reason", "keyCompromise"], in: directory)
    try Self.run(["ca", "-config", "ca.cnf", "-gencrl", "-out", "list.pem"], in: directory)
    try Self.run(["crl", "-in", "list.pem", "-outform", "DER", "-out", "list.der"], in: directory)
  }

  func certificate(_ name: String) throws -> Certificate { try Self.certificate(name, in: directory) }

  func list() throws -> CertificateRevocationList {
    try CertificateRevocationList(der: directory.read("list.der"))
  }

  /// What the responder says when it is asked about a certificate without a network.
  func response(for certificate: Certificate, signer: Signer = .root, minutes: Int = 60) throws -> [UInt8] {
    let request = OCSPRequest(for: certificate, issuedBy: root)
    return try Self.answer(request.der, signer, minutes, in: directory)
  }

  private static func answer(
    _ request: [UInt8], _ signer: Signer, _ minutes: Int, in directory: ScratchDirectory
  ) throws -> [UInt8] {
    let name = UUID().uuidString
    _ = try directory.write(request, as: name + ".request")
    try run(
      ["ocsp", "-index", "index.txt", "-CA", "root.pem", "-rsigner", "\(signer.rawValue).pem"]
        + ["-rkey", "\(signer.rawValue).key", "-nmin", "\(minutes)", "-reqin", name + ".request"]
        + ["-respout", name + ".response"], in: directory)
    return try directory.read(name + ".response")
  }

  private static func run(_ arguments: [String], in directory: ScratchDirectory) throws {
    let result = try ExternalTool.openssl.run(arguments, in: directory)
    try #require(result.succeeded, "openssl \(arguments.joined(separator: " ")): \(result.text)")
  }

  private static func certificate(_ name: String, in directory: ScratchDirectory) throws -> Certificate {
    let result = try ExternalTool.openssl.run(["x509", "-in", name + ".pem", "-outform", "DER"], in: directory)
    return try Certificate(der: result.output)
  }

  private static func configuration(_ url: String) -> String {
    """
    [ca]
    default_ca = authority
    [authority]
    database = index.txt
    serial = serial
    crlnumber = crlnumber
    new_certs_dir = .
    certificate = root.pem
    private_key = root.key
    default_md = sha256
    default_days = 30
    default_crl_days = 1
    policy = any
    crl_extensions = list
    [any]
    commonName = supplied
    [list]
    authorityKeyIdentifier = keyid
    [root]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign, cRLSign
    subjectKeyIdentifier = hash
    [leaf]
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    subjectAltName = DNS:www.steelpin.test
    extendedKeyUsage = serverAuth
    authorityInfoAccess = OCSP;URI:\(url)/ocsp
    crlDistributionPoints = URI:\(url)/list
    [responder]
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid
    extendedKeyUsage = OCSPSigning
    [req]
    distinguished_name = name
    [name]
    """
  }
}
