// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

/// `--revocation`, `--revocation-fail` and `--crl`, with a library that finds every signature good.
@Suite("options of revocation") struct RevocationOptionTests {
  private func verify(_ options: [String]) async -> CommandRun {
    let fixtures = TestCerts.directory.path
    return await run(
      ["verify", "\(fixtures)/leaf/p-256/chain.pem", "--cacert", "\(fixtures)/ca/root-p256/cert.pem"]
        + ["--host", "www.steelpin.test"] + options, backends: [FakeLibrary.proves.backend("openssl")])
  }

  /// A list of an issuer with one serial number or none; nobody signed it.
  private func list(of issuer: String, revoking serial: ArraySlice<UInt8>? = nil) throws -> [UInt8] {
    let certificate = try TestCerts.certificate(issuer)
    let algorithm = Array(certificate.signatureAlgorithm.encoded)
    let entry = serial.map { DER.sequence(DER.sequence(DER.element(.integer, $0), DER.time(TestCerts.clock))) }
    let number = DER.sequence(DER.objectIdentifier(.crlNumber), DER.octetString(DER.integer(1)))
    let signed = DER.sequence(
      DER.integer(1), algorithm, Array(certificate.subject.encoded), DER.time(TestCerts.clock),
      DER.time(TestCerts.clock.advanced(byDays: 1)), entry ?? [], DER.explicit(0, DER.sequence(number)))
    return DER.sequence(signed, algorithm, DER.bitString(DER.sequence(DER.integer(1), DER.integer(1))))
  }

  @Test(
    "how a chain without evidence ends",
    arguments: [
      ("", .success), ("--revocation off", .success), ("--revocation staple", .success),
      ("--revocation crl", .success), ("--revocation online", .success),
      ("--revocation staple --fail-on warning", .warning),
      ("--revocation staple --revocation-fail hard", .trustFailed),
      ("--revocation crl --revocation-fail hard", .trustFailed),
      ("--revocation online --revocation-fail hard", .trustFailed),
      ("--revocation always", .usage), ("--revocation-fail hard", .usage),
      ("--revocation off --revocation-fail hard", .usage),
    ] as [(String, ExitCode)])
  func without(_ options: String, _ status: ExitCode) async {
    let result = await verify(options.split(separator: " ").map(String.init))
    #expect(result.status == status, "\(result)")
    #expect((status == .trustFailed) == result.output.contains("revocation-unknown") || status != .trustFailed)
  }

  @Test("lists decide, PEM and DER", arguments: [true, false], [true, false])
  func lists(_ isPEM: Bool, _ isRevoked: Bool) async throws {
    let serial = try TestCerts.certificate("leaf/p-256").serialNumber
    let directory = try ScratchDirectory()
    var options = ["--revocation-fail", "hard"]
    for (issuer, revoked) in [("ca/intermediate-p256", isRevoked ? serial : nil), ("ca/root-p256", nil)] {
      let der = try list(of: issuer, revoking: revoked)
      let pem = "-----BEGIN X509 CRL-----\n\(Base64.encode(der))\n-----END X509 CRL-----\n"
      let name = "list-\(options.count)"
      _ = try directory.write(isPEM ? Array(pem.utf8) : der, as: name)
      options += ["--crl", directory.url.appendingPathComponent(name).path]
    }
    let result = await verify(options)
    #expect(result.status == (isRevoked ? .trustFailed : .success), "\(result)")
    #expect(result.output.contains("revoked") == isRevoked)
    let off = await verify(options + ["--revocation", "off"])
    #expect(off.status == .usage, "\(off)")
  }

  @Test("what is no list", arguments: [("ca/root-p256/cert.pem", ExitCode.badData), ("nothing", .inputMissing)])
  func noList(_ file: String, _ status: ExitCode) async {
    let result = await verify(["--crl", TestCerts.directory.appendingPathComponent(file).path])
    #expect(result.status == status, "\(result)")
  }

  @Test("a list that is damaged is bad data, not a warning") func damaged() async throws {
    let directory = try ScratchDirectory()
    var der = try list(of: "ca/root-p256")
    // The tag of the number's extension.
    der[try #require(der.lastIndex(of: 0xA0)) + 2] = 0x31
    _ = try directory.write(der, as: "list")
    let result = await verify(["--crl", directory.url.appendingPathComponent("list").path])
    #expect(result.status == .badData, "\(result)")
  }
}
