// SPDX-License-Identifier: Apache-2.0
import Glibc
import Steelpin
import SteelpinFormats

/// The readers that are fuzzed. Each input is dressed so that it reaches its reader at once.
enum FuzzTarget: String {
  case der
  case jks
  case loader
  case pem
  case pkcs7

  /// The target that the environment names in STEELPIN_FUZZ, the whole loader if it names none.
  static let chosen = getenv("STEELPIN_FUZZ").flatMap { FuzzTarget(rawValue: String(cString: $0)) } ?? .loader

  func run(_ input: [UInt8]) {
    switch self {
    case .der: Self.readDER(input)
    case .jks: Self.load([0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2] + input)
    case .loader: Self.load(input)
    case .pem: Self.load(Array("-----BEGIN CERTIFICATE-----\n".utf8) + input)
    case .pkcs7: Self.load(Self.signedData + input)
    }
  }

  /// An open ContentInfo with SignedData of indefinite lengths, up to its version.
  private static let signedData: [UInt8] = [
    0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2, 0xA0, 0x80, 0x30, 0x80, 0x02, 1, 1,
  ]

  private static func load(_ bytes: [UInt8]) {
    guard let file = try? CertificateLoader().examine(bytes, name: "input") else { return }
    precondition(!file.certificates.isEmpty || !file.others.isEmpty, "a file without anything was loaded")
    let certificates = file.certificates.map(\.certificate)
    guard !certificates.isEmpty else { return }
    guard let written = try? CertificateWriter(.pem, hasComments: true).encode(certificates, name: "output"),
      let again = try? CertificateLoader(isStrict: Set(certificates).count == certificates.count)
        .load(written, name: "output"), again.certificates.map(\.certificate) == certificates
    else { fatalError("what was loaded was not written as it was") }
  }

  private static func readDER(_ bytes: [UInt8]) {
    _ = try? PublicKeyInfo(der: bytes).kind
    guard let certificate = try? Certificate(der: bytes) else { return }
    precondition(certificate.der == bytes)
    _ = "\(certificate.subject) \(certificate.issuer) \(certificate.publicKey.kind)"
    _ = try? CertificateWriter(.text).encode([certificate], name: "output")
    precondition(AnchorSet([certificate]).contains(certificate))
  }
}

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
