// SPDX-License-Identifier: Apache-2.0
private import Glibc
public import Steelpin

/// The trust anchors of this system, as OpenSSL's default verify paths find them.
public struct SystemAnchors: Sendable {
  /// The anchors; empty, so that nothing is trusted, if none were found.
  public let anchors: AnchorSet
  /// The files and directories that they came from.
  public let sources: [String]
  /// What was passed over; a broken entry does not cost the others.
  public let notes: [LoadNote]

  /// Loads the anchors that the environment names with SSL_CERT_FILE and SSL_CERT_DIR (a list with colons), else the
  /// bundle of the distribution.
  ///
  /// If either variable is set, only what they name is loaded. OpenSSL would add its own compiled-in directory where only
  /// the file is set; a person who names a file of anchors means those, and an anchor too many is worse than one too few.
  public static func load() -> SystemAnchors {
    load(file: environment("SSL_CERT_FILE"), directories: environment("SSL_CERT_DIR"))
  }

  /// Loads those anchors that may have one of the given names, which is faster where they are in a directory: there only
  /// the files of these names are read. Others may be among them.
  package static func load(for names: Set<DistinguishedName>) -> SystemAnchors {
    load(file: environment("SSL_CERT_FILE"), directories: environment("SSL_CERT_DIR"), names: names)
  }

  static func load(
    file: String?, directories: String?, names: Set<DistinguishedName>? = nil
  ) -> SystemAnchors {
    var found = Collector()
    if file == nil, directories == nil {
      for path in bundles where found.addFile(path, mayBeMissing: true) { break }
    }
    if let file { found.addFile(file, mayBeMissing: false) }
    for directory in (directories ?? "").split(separator: ":") {
      if let names {
        found.addDirectory(String(directory), names)
      } else {
        found.addDirectory(String(directory))
      }
    }
    return SystemAnchors(anchors: AnchorSet(found.certificates), sources: found.sources, notes: found.notes)
  }

  /// Where distributions keep their bundle: Debian and Alpine, Fedora and RHEL, SUSE, older RHEL, Alpine and the BSDs.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem", "/usr/local/share/certs/ca-root-nss.crt",
  ]

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  private struct Collector {
    var certificates: [Certificate] = []
    var sources: [String] = []
    var notes: [LoadNote] = []

    /// Whether the file is there.
    @discardableResult
    mutating func addFile(_ path: String, mayBeMissing: Bool) -> Bool {
      do throws(LoadError) {
        let bytes = try FileReader().read(path)
        let file = CertificateLoader().loadTolerantly(bytes, name: path)
        certificates += file.certificates.map(\.certificate)
        notes += file.notes
        sources.append(path)
        return true
      } catch {
        if !(mayBeMissing && error.code == .fileMissing) {
          notes.append(LoadNote(.brokenEntry, error.place, error.what))
        }
        return false
      }
    }

    /// Takes the files that OpenSSL would find: it looks for the hash of a subject, a dot and a number.
    mutating func addDirectory(_ path: String) {
      let names: [String]
      do throws(LoadError) {
        names = try DirectoryReader.names(in: path)
      } catch {
        notes.append(LoadNote(.brokenEntry, error.place, error.what))
        return
      }
      sources.append(path)
      let hashed = names.filter(Self.isHashName)
      if hashed.isEmpty { notes.append(LoadNote(.noHashedFiles, FilePlace(file: path))) }
      for name in hashed {
        if addFile(path + "/" + name, mayBeMissing: false) { sources.removeLast() }
      }
    }

    /// Takes the files that OpenSSL would find for these names.
    mutating func addDirectory(_ path: String, _ names: Set<DistinguishedName>) {
      sources.append(path)
      for hash in Set(names.compactMap(SubjectHash.of)) {
        var number = 0
        while addFile("\(path)/\(hash).\(number)", mayBeMissing: true) {
          sources.removeLast()
          number += 1
        }
      }
    }

    private static func isHashName(_ name: String) -> Bool {
      let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return parts.count == 2 && parts[0].count == 8 && parts[0].allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
        && !parts[1].isEmpty && parts[1].allSatisfy { 0x30...0x39 ~= $0 }
    }
  }
}
