// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// A key with its certificate and that of its issuer, for PKCS#12 files that tools make and read.
struct PKCS12Material: Sendable {
  let key: [UInt8]
  let leaf: [UInt8]
  let issuer: [UInt8]

  /// The material that the files are made of.
  static let common = Result { try PKCS12Material(keyRings[0].value) }

  init(_ ring: KeyRing) throws {
    let lab = try Lab(keys: ring)
    let leaf = try lab.leaf(names: ["a.test"])
    self.key = try leaf.key.pkcs8()
    self.leaf = leaf.der
    self.issuer = lab.intermediate.der
  }

  /// The material as PEM files in a directory.
  func write(_ directory: ScratchDirectory) throws -> (key: String, leaf: String, issuer: String) {
    (
      try directory.write(Array(PEM.privateKey(key).utf8), as: "key.pem"),
      try directory.write(Array(PEM.certificate(leaf).utf8), as: "leaf.pem"),
      try directory.write(Array(PEM.certificate(issuer).utf8), as: "issuer.pem")
    )
  }

  /// The SubjectPublicKeyInfo of a key, by which keys are compared: PKCS#8 has more than one spelling.
  static func publicKey(_ pkcs8: [UInt8]) throws -> [UInt8] {
    try keyProviders[0].value.importKey(pkcs8: pkcs8).publicKeyInfo
  }
}

/// A way in which a tool makes a file.
struct PKCS12File: Sendable, CustomTestStringConvertible {
  let tool: ExternalTool
  let arguments: [String]
  var password = "pass word"
  var isLegacy = false

  /// The friendly name of the key; certtool writes no other than ASCII.
  var name: String { arguments.first == "pkcs12" ? "钢钉" : "nail" }

  var testDescription: String { arguments.joined(separator: " ") + ", password '\(password)'" }

  /// The bytes of the file over the common material, made once.
  func bytes() throws -> [UInt8] { try #require(Self.made[testDescription]).get() }

  private static let made: [String: Result<[UInt8], any Error>] = Dictionary(
    uniqueKeysWithValues: all.map { file in
      (file.testDescription, Result { try file.make(PKCS12Material.common.get()) })
    })

  /// Makes the file and returns its bytes.
  func make(_ material: PKCS12Material) throws -> [UInt8] {
    let directory = try ScratchDirectory()
    let files = try material.write(directory)
    let result =
      if arguments.first == "pkcs12" {
        try tool.run(
          arguments + [
            "-export", "-inkey", files.key, "-in", files.leaf, "-certfile", files.issuer, "-name", name, "-passout",
            "pass:\(password)", "-out", "file.p12",
          ], in: directory)
      } else {
        try tool.run(
          arguments + [
            "--to-p12", "--load-privkey", files.key, "--load-certificate", files.leaf, "--load-ca-certificate",
            files.issuer, "--p12-name", name, "--outder", "--outfile", "file.p12",
          ] + (password.isEmpty ? [] : ["--password", password]), in: directory)
      }
    try #require(result.succeeded, "\(result.text)")
    return try directory.read("file.p12")
  }

  static let all: [PKCS12File] = {
    var files: [PKCS12File] = []
    if ExternalTool.openssl.isInstalled {
      func add(_ arguments: String..., password: String = "pass word", legacy: Bool = false) {
        files.append(
          PKCS12File(
            tool: .openssl, arguments: ["pkcs12"] + arguments, password: password, isLegacy: legacy))
      }
      add()
      add(password: "pässwörd 钢钉")
      add(password: "")
      add("-legacy", legacy: true)
      add("-legacy", password: "", legacy: true)
      add("-certpbe", "PBE-SHA1-3DES", legacy: true)
      add("-keypbe", "PBE-SHA1-3DES", legacy: true)
      add("-legacy", "-keypbe", "PBE-SHA1-RC4-128", legacy: true)
      add("-certpbe", "des-ede3-cbc", legacy: true)
      add("-certpbe", "AES-128-CBC", "-keypbe", "AES-192-CBC", "-macalg", "sha512")
      add("-keypbe", "NONE", "-certpbe", "NONE")
      add("-nomac")
      add("-nomaciter", "-noiter")
    }
    // Fewer of these: GnuTLS takes 600,000 rounds for each part of a file.
    if ExternalTool.certtool.isInstalled {
      func add(_ arguments: String..., password: String = "pass word", legacy: Bool = false) {
        files.append(
          PKCS12File(tool: .certtool, arguments: arguments, password: password, isLegacy: legacy))
      }
      add("--pkcs-cipher", "aes-256")
      add("--pkcs-cipher", "rc2-40", legacy: true)
      add("--empty-password", password: "")
      add("--null-password", "--pkcs-cipher", "3des-pkcs12", password: "", legacy: true)
    }
    return files
  }()
}
