// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// DER values: files of them, and what stands in PEM blocks.
extension LoadSession {
  /// Loads a file of DER values.
  mutating func loadDERFile(_ bytes: [UInt8]) throws(LoadError) -> FileEncoding {
    var rest = bytes[...]
    var encoding = FileEncoding.der
    var block = 0
    while !rest.isEmpty {
      block += 1
      let place = FilePlace(file: name, block: block, offset: rest.startIndex)
      let value = try outerValue(of: rest, at: place)
      // What follows a certificate in OpenSSL's trusted DER are its trust attributes.
      if block > 1, DERContent(of: value) == .unknown {
        note(.trustAttributesIgnored, place)
      } else if let container = try addValue(Array(value), at: place) {
        encoding = container
      }
      rest = rest[value.endIndex...]
      if block == 2 { note(.concatenatedDER, place) }
      if rest.allSatisfy(isBlank) {
        if !rest.isEmpty { noteTrailing(rest.count, FilePlace(file: name, offset: rest.startIndex)) }
        break
      }
      guard rest.first == 0x30 else {
        throw LoadError(
          .unknownContent, FilePlace(file: name, offset: rest.startIndex),
          "\(rest.count) bytes after the end of the DER value are no DER", remedy: "get the file again from its source")
      }
    }
    return encoding
  }

  /// Takes a value found in a PEM block or in base64, with nothing but blanks behind it.
  mutating func addOnlyValue(_ bytes: [UInt8], at place: FilePlace) throws(LoadError) -> FileEncoding? {
    let value = try outerValue(of: bytes[...], at: place)
    let rest = bytes[value.endIndex...]
    guard rest.isEmpty else {
      guard rest.allSatisfy(isBlank) else {
        throw LoadError(
          .malformedCertificate, place, "\(rest.count) bytes follow the end of the DER value",
          remedy: "get the file again from its source")
      }
      noteTrailing(rest.count, place)
      return try addValue(Array(value), at: place)
    }
    return try addValue(bytes, at: place)
  }

  mutating func noteTrailing(_ count: Int, _ place: FilePlace) {
    note(.trailingBytes, place, "\(count) \(count == 1 ? "byte follows" : "bytes follow") the end of the DER value")
  }

  /// The bytes of the first value.
  func outerValue(of bytes: ArraySlice<UInt8>, at place: FilePlace) throws(LoadError) -> ArraySlice<UInt8> {
    do throws(DERError) {
      var reader = BERReader(bytes)
      return try reader.read().encoded
    } catch {
      guard error.reason == .truncated else {
        throw LoadError(
          .malformedCertificate, place, "the DER is damaged: \(error)", remedy: "get the file again from its source")
      }
      throw LoadError(
        .truncated, place, "the DER is cut short after \(bytes.count) bytes",
        remedy: "get the file again from its source")
    }
  }

  /// Takes one whole value of any kind; returns its encoding if it is a container.
  private mutating func addValue(_ der: [UInt8], at place: FilePlace) throws(LoadError) -> FileEncoding? {
    switch DERContent(of: der[...]) {
    case .certificate: try addCertificate(der, at: place)
    case .item(let kind): addItem(kind, der, at: place)
    case .pkcs12:
      try loadPKCS12(der, at: place)
      return .pkcs12
    case .pkcs7:
      try loadPKCS7(der[...], at: place)
      return .pkcs7
    case .pkiPath: try loadPath(der, at: place)
    case .unknown: try addUnknown(der, at: place)
    }
    return nil
  }

  /// A SEQUENCE OF Certificate.
  private mutating func loadPath(_ der: [UInt8], at place: FilePlace) throws(LoadError) {
    let elements: [DERElement]
    do throws(DERError) {
      elements = try DERReader.single(der[...], .sequence).elements(atMost: .max)
    } catch {
      throw LoadError(.malformedContainer, place, "the list of certificates is damaged: \(error)")
    }
    for (index, element) in elements.enumerated() {
      var member = place
      member.block = index + 1
      member.offset += element.encoded.startIndex
      try addCertificate(Array(element.encoded), at: member)
    }
  }

  private mutating func addUnknown(_ der: [UInt8], at place: FilePlace) throws(LoadError) {
    // A value that is nearly a certificate is a damaged one: the certificate's own error says where.
    try addCertificate(der, at: place)
  }
}
