// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  public import Steelpin

  /// PKCS#12 files by OpenSSL, those with old algorithms included if its legacy provider is installed.
  public struct OpenSSLPKCS12Codec: PKCS12Codec {
    /// A codec; it has no state.
    public init() {}

    /// Decrypts a PFX.
    public func open(pkcs12: [UInt8], password: [UInt8]) throws(PKCS12Error) -> PKCS12Contents {
      guard !password.contains(0) else { throw .wrongPassword }
      ErrorQueue.clear()
      var contents = PKCS12Contents(certificates: [], privateKeys: [])
      var legacy: CInt = 0
      let result = withUnsafeMutablePointer(to: &contents) { contents in
        String(decoding: password, as: UTF8.self).withCString { password in
          cossl_pkcs12_open(pkcs12, pkcs12.count, password, takeItem, contents, &legacy)
        }
      }
      let native = ErrorQueue.drain()
      switch result {
      case 1:
        contents.usesLegacyEncryption = legacy != 0
        return contents
      case 0: throw .malformed(native)
      default: throw .wrongPassword
      }
    }

    /// Makes a PFX.
    ///
    /// Each certificate has the attribute by which Java takes it for an anchor, and its common name as its name.
    public func seal(_ contents: PKCS12Contents, password: [UInt8]) throws(PKCS12Error) -> [UInt8] {
      ErrorQueue.clear()
      guard !password.contains(0), let builder = Handle<PKCS12BuilderKind>(adopting: cossl_pkcs12_builder_new())
      else { throw .backend(ErrorQueue.error("make a PKCS#12 file")) }
      let password = String(decoding: password, as: UTF8.self)
      for (index, der) in contents.certificates.enumerated() {
        let name = (try? Certificate(der: der))?.subject.commonName ?? "certificate \(index + 1)"
        guard cossl_pkcs12_builder_add_certificate(builder.pointer, der, der.count, name) == 1 else {
          throw .backend(ErrorQueue.error("put a certificate into a PKCS#12 file"))
        }
      }
      for key in contents.privateKeys {
        guard cossl_pkcs12_builder_add_key(builder.pointer, key, key.count, password) == 1 else {
          throw .backend(ErrorQueue.error("put a key into a PKCS#12 file"))
        }
      }
      var count = 0
      guard let bytes = cossl_pkcs12_builder_seal(builder.pointer, password, &count) else {
        throw .backend(ErrorQueue.error("make a PKCS#12 file"))
      }
      defer { cossl_free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  /// What the shim calls with each certificate and key; `user` is the contents that are being filled.
  private func takeItem(_ user: UnsafeMutableRawPointer?, _ isKey: CInt, _ der: UnsafePointer<UInt8>?, _ count: Int) {
    let bytes = Array(UnsafeBufferPointer(start: der, count: count))
    let contents = user?.assumingMemoryBound(to: PKCS12Contents.self)
    if isKey != 0 {
      contents?.pointee.privateKeys.append(bytes)
    } else {
      contents?.pointee.certificates.append(bytes)
    }
  }

  private enum PKCS12BuilderKind: HandleKind {
    static func free(_ pointer: OpaquePointer) { cossl_pkcs12_builder_free(pointer) }
  }
#endif
