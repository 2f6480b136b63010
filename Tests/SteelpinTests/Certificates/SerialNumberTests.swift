// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("serial numbers") struct SerialNumberTests {
  private func certificate(_ serialNumber: [UInt8]) throws -> Certificate {
    var certificate = FakeCertificate("Leaf", by: "CA")
    certificate.serialNumber = serialNumber
    return try certificate.make()
  }

  @Test(
    "X.690 8.3.2: the shortest form", arguments: [[0x00], [0x7F], [0x00, 0x80], [0x80], [0xFF, 0x7F]] as [[UInt8]])
  func shortest(_ octets: [UInt8]) throws { #expect(try Array(certificate(octets).serialNumber) == octets) }

  @Test(
    "X.690 8.3.2: a longer form is no INTEGER",
    arguments: [[], [0x00, 0x00], [0x00, 0x7F], [0xFF, 0x80], [0xFF, 0xFF, 0x01]] as [[UInt8]])
  func longer(_ octets: [UInt8]) { #expect(throws: CertificateError.self) { try certificate(octets) } }
}
