// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Steelpin
package import SteelpinFormats

/// The files that clients read: the authorities, and with a directory everything else that they may need.
package struct LabFiles: Sendable {
  /// One file to write.
  package struct Entry: Sendable {
    let name: String
    let bytes: [UInt8]
    var isSecret = false
  }

  /// The file of the authorities.
  package let authorities: String
  /// The directory of all files; nil if only the authorities were asked for.
  package let directory: String?
  private let isTemporary: Bool
  private let names: [String]

  /// Writes the entries, of which the first are the authorities, into a directory; or the authorities alone into a file;
  /// or all into a directory that is made for them and removed with ``remove()``. A file that is there is replaced: a lab
  /// is started again and again.
  ///
  /// Throws ``LoadError`` if one cannot be written.
  package init(_ entries: [Entry], authorities file: String?, directory: String?) throws(LoadError) {
    let place: String? = directory == nil && file == nil ? try Self.makeDirectory() : directory
    self.isTemporary = directory == nil && file == nil
    self.directory = place
    self.names = entries.map(\.name)
    let first = entries.first?.name ?? ""
    self.authorities = file ?? place.map { "\($0)/\(first)" } ?? first
    if let file, let first = entries.first { try AtomicFile.write(first.bytes, to: file, mayReplace: true) }
    guard let place else { return }
    if !isTemporary, mkdir(place, 0o777) != 0, errno != EEXIST { throw SystemFault.writing(place, errno) }
    for entry in entries {
      try AtomicFile.write(
        entry.bytes, to: "\(place)/\(entry.name)", mode: entry.isSecret ? 0o600 : 0o644, mayReplace: true)
    }
  }

  /// Removes a directory that was made for the files.
  package func remove() {
    guard isTemporary, let directory else { return }
    for name in names { unlink("\(directory)/\(name)") }
    rmdir(directory)
  }

  private static func makeDirectory() throws(LoadError) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/steelpin-lab-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }
    }
    guard made != nil else {
      throw SystemFault.writing(parent, errno)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension LabFiles.Entry {
  fileprivate init(_ name: String, _ list: [[UInt8]], label: String = "CERTIFICATE", isSecret: Bool = false) {
    var text: [UInt8] = []
    for der in list { PEMText.append(der, label: label, to: &text) }
    self.init(name: name, bytes: text, isSecret: isSecret)
  }
}

extension LabMaterial {
  /// What a client may need, as files.
  package var files: [LabFiles.Entry] {
    [
      LabFiles.Entry("ca.pem", authorities), LabFiles.Entry("chain.pem", server.certificates),
      LabFiles.Entry("client.pem", client.certificates),
      LabFiles.Entry("client.key", [client.privateKey], label: "PRIVATE KEY", isSecret: true),
      LabFiles.Entry("crl.pem", [revocationList], label: "X509 CRL"),
      LabFiles.Entry(name: "pin.txt", bytes: Array("\(pin)\n".utf8)),
    ]
  }
}

extension LabProxy {
  /// What a client must trust, as a file.
  package var files: [LabFiles.Entry] { [LabFiles.Entry("ca.pem", [authority])] }
}
