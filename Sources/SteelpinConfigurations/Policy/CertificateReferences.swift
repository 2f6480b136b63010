// SPDX-License-Identifier: Apache-2.0
package import Steelpin
internal import SteelpinFormats

/// Finds the certificates that a document names by a text.
package protocol CertificateReferences: Sendable {
  /// The certificates that a text names, at least one. Throws what is wrong with it.
  func certificates(_ text: String) throws(CertificateReferenceError) -> [Certificate]
}

/// Why a text names no certificates.
package struct CertificateReferenceError: Error {
  package let message: String
  package let hint: String

  package init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

/// Certificates that stand in the document itself: PEM with one or more, or base64 of one certificate's DER.
package struct InlineCertificates: CertificateReferences {
  package init() {}

  package func certificates(_ text: String) throws(CertificateReferenceError) -> [Certificate] {
    guard Self.isInline(text) else {
      throw CertificateReferenceError(
        "this is neither PEM nor base64 of DER", hint: "write \"system\", PEM, or base64 of a certificate's DER")
    }
    do throws(LoadError) {
      return try CertificateLoader().load(Array(text.utf8), name: "the text").certificates.map(\.certificate)
    } catch {
      throw CertificateReferenceError(
        error.message, hint: error.remedy ?? "write PEM, or base64 of a certificate's DER")
    }
  }

  /// Whether a text is PEM or base64 rather than a name. The DER of every certificate begins with the tag of a SEQUENCE
  /// and a long length, which in base64 is `MI`; a name of that kind that is base64 as well is written with `./` before
  /// it.
  package static func isInline(_ text: String) -> Bool {
    if text.contains("-----BEGIN ") { return true }
    guard text.hasPrefix("MI"), text.utf8.count >= 64 else { return false }
    return Base64.decode(text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 }) != nil
  }
}

/// Certificates of files beside the document, or in it.
package struct FileCertificates: CertificateReferences {
  private let source: ConfigurationSource

  package init(source: ConfigurationSource) { self.source = source }

  package func certificates(_ text: String) throws(CertificateReferenceError) -> [Certificate] {
    if InlineCertificates.isInline(text) { return try InlineCertificates().certificates(text) }
    let path = text.hasPrefix("/") ? text : source.sibling(text)
    let bytes: [UInt8]
    do throws(ConfigurationError) {
      bytes = try source.files.read(path)
    } catch {
      throw CertificateReferenceError(
        "\(path): \(error.message)", hint: "write \"system\", or the path of a PEM or DER file beside this one")
    }
    do throws(LoadError) {
      return try CertificateLoader().load(bytes, name: path).certificates.map(\.certificate)
    } catch {
      throw CertificateReferenceError(error.message, hint: error.remedy ?? "name a PEM or DER file with certificates")
    }
  }
}

extension ReadingSession {
  /// A text of a document, with its place.
  package struct Text: Sendable {
    package let text: String
    package let position: SourcePosition
  }

  /// One text, or a list of texts.
  package mutating func texts(_ member: DocumentNode.Member) -> [Text] {
    if case .string(let text) = member.value.value { return [Text(text: text, position: member.value.position)] }
    return (array(member.value, member.key) ?? []).compactMap { node in
      string(node, "an item of \(member.key)").map { Text(text: $0, position: node.position) }
    }
  }

  /// The certificates that a text names; nil, with a finding, if it names none.
  package mutating func certificates(_ text: Text, _ references: any CertificateReferences) -> [Certificate]? {
    do throws(CertificateReferenceError) {
      return try references.certificates(text.text)
    } catch {
      self.error(.certificateUnreadable, text.position, error.message, hint: error.hint)
      return nil
    }
  }
}
