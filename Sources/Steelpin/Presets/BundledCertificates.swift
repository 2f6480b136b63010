// SPDX-License-Identifier: Apache-2.0

/// A file of an app's bundle.
public struct BundleFile: Sendable, Hashable {
  /// The name with its extension, without directories.
  public let name: String
  /// The bytes.
  public let contents: [UInt8]

  /// A file.
  public init(_ name: String, _ contents: [UInt8]) {
    self.name = name
    self.contents = contents
  }

  private var pathExtension: Substring {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
  }

  fileprivate func certificate(_ extensions: Set<String>) -> Certificate? {
    guard extensions.contains(String(pathExtension)) else { return nil }
    // SecCertificateCreateWithData reads DER only, and whatever else the files hold is dropped without a word.
    return try? Certificate(der: contents)
  }
}

extension AFNetworkingPreset {
  /// The certificates that `+certificatesInBundle:` finds: DER in files named `.cer`.
  ///
  /// The original keeps files that are no certificates too, and crashes on them in certificate mode; here they are
  /// dropped.
  public static func certificates(inBundle files: some Sequence<BundleFile>) -> Set<Certificate> {
    Set(files.compactMap { $0.certificate(["cer"]) })
  }
}

extension AlamofirePreset {
  /// The certificates that `Bundle.af.certificates` finds: DER in files named `.cer`, `.crt` or `.der`, in the order of
  /// the files. PEM files are dropped, as the original does.
  public static func certificates(inBundle files: some Sequence<BundleFile>) -> [Certificate] {
    files.compactMap { $0.certificate(["cer", "CER", "crt", "CRT", "der", "DER"]) }
  }
}
