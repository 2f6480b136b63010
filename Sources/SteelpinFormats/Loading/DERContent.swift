// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// What kind of thing a DER or BER value is, by its structure and not by the label or file name it came under.
enum DERContent: Equatable {
  case certificate
  case item(ItemKind)
  case pkcs12
  case pkcs7
  /// SEQUENCE OF Certificate, which is a PkiPath (RFC 6066 10.1).
  case pkiPath
  case unknown

  init(of value: ArraySlice<UInt8>) {
    self = (try? Self.classify(value, mayBePath: true)) ?? .unknown
  }

  private static func classify(_ value: ArraySlice<UInt8>, mayBePath: Bool) throws(DERError) -> DERContent {
    var outer = try BERReader(value).head(.sequence).reader
    guard let first = try outer.nextElement() else { return .unknown }
    let second = try outer.nextElement()
    let third = try outer.nextElement()
    switch first.tag {
    case .objectIdentifier:
      return first.objectIdentifier?.content.starts(with: pkcs7Arc) == true ? .pkcs7 : .unknown
    case .integer: return classify(version: first, second, third)
    case .enumerated: return .item(.ocspResponse)
    case .sequence: return try classify(first: first, second, third, mayBePath: mayBePath)
    default: return .unknown
    }
  }

  /// Keys and PKCS#12 start with a version.
  private static func classify(version: BERElement, _ second: BERElement?, _ third: BERElement?) -> DERContent {
    switch (second?.tag, third?.tag) {
    case (.sequence, .octetString): return .item(.privateKey)  // PKCS#8
    case (.sequence, _) where version.content.elementsEqual([3]): return .pkcs12
    case (.octetString, _): return .item(.privateKey)  // RFC 5915
    case (.integer, nil): return .item(.publicKey)  // PKCS#1
    case (.integer, .integer): return .item(.privateKey)  // PKCS#1 and DSA
    default: return .unknown
    }
  }

  private static func classify(
    first: BERElement, _ second: BERElement?, _ third: BERElement?, mayBePath: Bool
  ) throws(DERError) -> DERContent {
    var fields = first.reader
    guard let head = try fields.nextElement() else { return .unknown }
    if head.tag == .objectIdentifier {
      // An AlgorithmIdentifier comes first in a SubjectPublicKeyInfo and in an encrypted PKCS#8.
      guard third == nil else { return .unknown }
      return second?.tag == .bitString
        ? .item(.publicKey) : second?.tag == .octetString ? .item(.encryptedPrivateKey) : .unknown
    }
    if second?.tag != .sequence || third?.tag != .bitString {
      guard mayBePath, try classify(first.encoded, mayBePath: false) == .certificate else { return .unknown }
      return .pkiPath
    }
    return try classify(signedHead: head, fields)
  }

  /// Certificates, requests and revocation lists are signed alike and differ in what is signed.
  private static func classify(
    signedHead head: BERElement, _ rest: BERReader
  ) throws(DERError) -> DERContent {
    var fields = rest
    switch head.tag {
    case .context(0, constructed: true): return .certificate
    case .sequence: return .item(.revocationList)  // version 1 has no version
    case .integer:
      guard let second = try fields.nextElement(), let third = try fields.nextElement() else { return .unknown }
      if third.reader.nextTag == .sequence { return .item(.request) }
      guard let fourth = try fields.nextElement() else { return .certificate }
      return second.reader.nextTag == .objectIdentifier && (fourth.tag == .utcTime || fourth.tag == .generalizedTime)
        ? .item(.revocationList) : .certificate
    default: return .unknown
    }
  }

  /// The SubjectPublicKeyInfo of a request (RFC 2986 section 4) or of a bare public key.
  static func publicKey(of value: [UInt8], _ kind: ItemKind) -> PublicKeyInfo? {
    switch kind {
    case .publicKey:
      if let key = try? PublicKeyInfo(der: value) { return key }
      // PKCS#1 has no algorithm around the key; this is what `openssl rsa -pubout` makes of it.
      let algorithm = DER.sequence(DER.objectIdentifier(.rsaEncryption), DER.null)
      return try? PublicKeyInfo(der: DER.sequence(algorithm, DER.bitString(value)))
    case .request:
      do {
        var request = try DERReader.single(value[...], .sequence).reader()
        var info = try request.read(.sequence).reader()
        _ = try info.read(.integer)
        _ = try info.read(.sequence)
        return try PublicKeyInfo(der: Array(info.read(.sequence).encoded))
      } catch {
        return nil
      }
    default: return nil
    }
  }
}

extension BERReader {
  /// The next element; nil at the end.
  fileprivate mutating func nextElement() throws(DERError) -> BERElement? { isAtEnd ? nil : try read() }

  /// The first element, which must have the tag.
  fileprivate func head(_ tag: DERTag) throws(DERError) -> BERElement {
    var reader = self
    return try reader.read(tag)
  }
}

/// 1.2.840.113549.1.7
private let pkcs7Arc: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7]
