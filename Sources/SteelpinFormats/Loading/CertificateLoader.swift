// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// The one reader of certificate files: PEM, DER, bare base64, PKCS#7, PKCS#12 and Java key stores, told apart by their
/// content and never by a file's name.
///
/// What it forgives it says in a ``LoadNote``. A file that is partly bad is an error that names the block and the line,
/// never a shorter list and never an empty one.
public struct CertificateLoader: Sendable {
  /// Whether a note is an error (`--strict`).
  public var isStrict: Bool
  /// Opens PKCS#12 files; nil if no backend is there for it.
  public var pkcs12: (any PKCS12Codec)?
  /// The password of PKCS#12 files and of key stores' check sums, in UTF-8; nil if there is none, in which case PKCS#12 is
  /// tried with the empty one and check sums are not checked.
  public var password: [UInt8]?

  /// A loader; without a codec it says of a PKCS#12 file that it cannot be opened.
  public init(isStrict: Bool = false, pkcs12: (any PKCS12Codec)? = nil, password: [UInt8]? = nil) {
    self.isStrict = isStrict
    self.pkcs12 = pkcs12
    self.password = password
  }

  /// Loads the certificates of a file's bytes: at least one, in the file's order.
  ///
  /// Throws ``LoadError`` if anything in the bytes is broken, or if they hold no certificate; then it says what they are.
  public func load(_ bytes: [UInt8], name: String) throws(LoadError) -> LoadedFile {
    let file = try examine(bytes, name: name)
    guard let first = file.others.first, file.certificates.isEmpty else { return file }
    throw ContentErrors.notCertificate(first)
  }

  /// Loads what a file's bytes hold, which may be keys or requests alone: for places where a public key will do.
  ///
  /// Throws ``LoadError`` if anything in the bytes is broken or of no known kind.
  public func examine(_ bytes: [UInt8], name: String) throws(LoadError) -> LoadedFile {
    var session = LoadSession(loader: self, name: name, passesOverBroken: false)
    let file = try session.run(bytes)
    if isStrict, let note = file.notes.first {
      throw LoadError(
        .strict, note.place, note.text, reason: "strict loading forgives nothing",
        remedy: "repair the file, or load it without --strict")
    }
    return file
  }

  /// Loads the certificates of a system's bundle: what is broken is a note, and none at all is no error.
  func loadTolerantly(_ bytes: [UInt8], name: String) -> LoadedFile {
    var session = LoadSession(loader: self, name: name, passesOverBroken: true)
    do throws(LoadError) {
      return try session.run(bytes)
    } catch {
      var file = LoadedFile(name: name, encoding: .pem)
      file.notes = [LoadNote(.brokenEntry, error.place, error.what)]
      return file
    }
  }
}
