// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Reads the one file of which the private key itself is wanted: that of a client that proves who it is.
package enum PrivateKeyFile {
  /// The PKCS#8 DER of the private key in a file, PEM or DER; certificates may stand beside it.
  ///
  /// Throws if there is none or more than one, or if it is encrypted or of an older form than PKCS#8 (RFC 5958).
  package static func pkcs8(in bytes: [UInt8], name: String) throws(LoadError) -> [UInt8] {
    if DERContent(of: bytes[...]) == .item(.privateKey) { return bytes }
    var found: [UInt8]?
    var scanner = PEMScanner(bytes)
    while let block = try next(&scanner, name) {
      let label = String(decoding: block.label, as: UTF8.self)
      guard label.hasSuffix("PRIVATE KEY") else { continue }
      let place = FilePlace(file: name, block: scanner.blockCount, offset: block.start, line: block.line)
      guard label == "PRIVATE KEY", !block.isEncrypted else {
        throw LoadError(
          .unsupported, place, "a private key that is encrypted or no PKCS#8",
          remedy: "openssl pkcs8 -topk8 -nocrypt -in \(name) -out key.pem")
      }
      guard found == nil else {
        throw LoadError(.unsupported, place, "a second private key", remedy: "give a file with the one that is meant")
      }
      found = block.content
    }
    guard let found else {
      throw LoadError(
        .unknownContent, FilePlace(file: name), "holds no private key",
        remedy: "give the file of the key with --key; a PEM block begins with BEGIN PRIVATE KEY")
    }
    return found
  }

  private static func next(_ scanner: inout PEMScanner, _ name: String) throws(LoadError) -> PEMBlock? {
    do throws(PEMFault) {
      return try scanner.next()
    } catch {
      let place = FilePlace(
        file: name, block: scanner.blockCount, offset: error.offset, line: error.line, column: error.column)
      throw LoadError(error.code, place, error.what, remedy: error.remedy)
    }
  }
}
