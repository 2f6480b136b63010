// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// PKCS#7 and CMS signed data (RFC 2315 section 9, RFC 5652 section 5), in BER or DER.
enum PKCS7 {
  /// One element of the certificates or of the revocation lists.
  struct Member {
    enum Kind {
      case certificate
      case other
      case revocationList
    }

    let kind: Kind
    let encoded: ArraySlice<UInt8>
  }

  /// The members of a ContentInfo, certificates first, in the order of the file.
  static func members(of value: ArraySlice<UInt8>) throws(DERError) -> [Member] {
    var outer = BERReader(value)
    var info = try outer.read(.sequence).reader
    let type = try info.read(.objectIdentifier)
    guard type.content.elementsEqual(signedData) else {
      throw DERError(
        .invalidValue("content of type \(OID(content: type.content)) instead of signed data"),
        at: type.encoded.startIndex)
    }
    var explicit = try info.read(.context(0, constructed: true)).reader
    var signed = try explicit.read(.sequence).reader
    _ = try signed.read(.integer)
    _ = try signed.read(.set)
    _ = try signed.read(.sequence)
    var members: [Member] = []
    if let certificates = try signed.readIfPresent(.context(0, constructed: true)) {
      var list = certificates.reader
      while !list.isAtEnd {
        let element = try list.read()
        // CertificateChoices has attribute certificates and other formats under context tags.
        members.append(Member(kind: element.tag == .sequence ? .certificate : .other, encoded: element.encoded))
      }
    }
    if let lists = try signed.readIfPresent(.context(1, constructed: true)) {
      var list = lists.reader
      while !list.isAtEnd {
        members.append(Member(kind: .revocationList, encoded: try list.read().encoded))
      }
    }
    _ = try signed.read(.set)
    return members
  }

  /// SignedData with certificates and nothing that is signed, as a `.p7b` file is: DER of a ContentInfo.
  ///
  /// The certificates keep their order: readers take them as given, and a SET OF sorted by DER would lose it.
  static func encode(_ certificates: [[UInt8]]) -> [UInt8] {
    let content = DER.sequence(
      DER.integer(1), DER.setOf([]), DER.sequence(DER.objectIdentifier(OID(data))),
      DER.element(.context(0, constructed: true), Array(certificates.joined())), DER.setOf([]))
    return DER.sequence(DER.objectIdentifier(OID(signedData)), DER.explicit(0, content))
  }

  /// 1.2.840.113549.1.7.1
  private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
  /// 1.2.840.113549.1.7.2
  private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
}
