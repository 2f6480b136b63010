// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  public import Steelpin

  /// PKCS#12 by libcrypto. RC2, RC4 and DES need its legacy provider, which is loaded only for a file that uses them.
  public struct OpenSSLPKCS12Codec: PKCS12Codec {
    /// A codec; it has no state.
    public init() {}

    /// Opens a file.
    ///
    /// A file that needs the legacy provider where that is not installed throws
    /// `PKCS12Error.unsupportedAlgorithm(_:)`.
    public func open(pkcs12: [UInt8], password: [UInt8]) throws(PKCS12Error) -> PKCS12Contents {
      do throws(PKCS12Failure) {
        return try PKCS12Reader(pkcs12, password, context: nil).read()
      } catch {
        guard case .unsupported(let native) = error, let context = cossl_legacy_context() else {
          throw error.published
        }
        do throws(PKCS12Failure) {
          return try PKCS12Reader(pkcs12, password, context: context).read()
        } catch .unsupported {
          throw PKCS12Failure.unsupported(native).published
        } catch { throw error.published }
      }
    }

    /// Makes a file. In one without keys the certificates are marked as anchors for Java, and have their common name if
    /// they have no friendly one.
    public func seal(_ contents: PKCS12Contents, password: [UInt8]) throws(PKCS12Error) -> [UInt8] {
      do throws(BackendError) { return try seal(contents, password) } catch { throw .backend(error) }
    }

    private func seal(_ contents: PKCS12Contents, _ password: [UInt8]) throws(BackendError) -> [UInt8] {
      ErrorQueue.clear()
      let operation = "make a PKCS#12 file"
      guard let certificates = Handle<BagsKind>(adopting: cossl_bags_new()),
        let keys = Handle<BagsKind>(adopting: cossl_bags_new())
      else { throw ErrorQueue.error(operation) }
      let secret = SecretText(password)
      var publicKeys: [[UInt8]] = []
      for key in contents.privateKeys {
        let publicKey = try OpenSSLKeyProvider().importKey(pkcs8: key).publicKeyInfo
        publicKeys.append(publicKey)
        let identifier = PKCS12Contents.keyIdentifier(ofKey: publicKey)
        guard let info = DERExchange.decode(key, as: PKCS8Kind.self, d2i_PKCS8_PRIV_KEY_INFO),
          secret.lend({ text, count in
            cossl_bags_add_key(
              keys.pointer, info.pointer, text, count, contents.friendlyNames[key], identifier, CInt(identifier.count))
          }) == 1
        else { throw ErrorQueue.error(operation) }
      }
      for certificate in contents.certificates {
        let identifier = PKCS12Contents.keyIdentifier(of: certificate, among: publicKeys) ?? []
        // Java shows an anchor by its friendly name.
        let name =
          contents.friendlyNames[certificate]
          ?? (publicKeys.isEmpty ? try? Certificate(der: certificate).subject.commonName : nil)
        guard
          cossl_bags_add_certificate(
            certificates.pointer, certificate, certificate.count, name, identifier, CInt(identifier.count),
            publicKeys.isEmpty ? 1 : 0) == 1
        else { throw ErrorQueue.error(operation) }
      }
      let file = Handle<PKCS12Kind>(
        adopting: secret.lend { text, count in
          cossl_pkcs12_seal(certificates.pointer, keys.pointer, text, count)
        })
      guard let file, let bytes = DERExchange.encode(file.pointer, i2d_PKCS12) else {
        throw ErrorQueue.error(operation)
      }
      return bytes
    }
  }

  /// A password as libcrypto takes it: characters and their number, or NULL for none at all.
  struct SecretText {
    private let octets: [CChar]?

    /// A password, nil for none; the octet after the last is zero, as some functions measure it themselves.
    init(_ password: [UInt8]?) { self.octets = password.map { $0.map { CChar(bitPattern: $0) } + [0] } }

    /// Lends the characters.
    func lend<Result>(_ body: (UnsafePointer<CChar>?, CInt) -> Result) -> Result {
      guard let octets else { return body(nil, 0) }
      return octets.withUnsafeBufferPointer { body($0.baseAddress, CInt(clamping: octets.count - 1)) }
    }
  }

  enum BagsKind: HandleKind { static func free(_ pointer: OpaquePointer) { cossl_bags_free(pointer) } }
  enum PKCS12Kind: HandleKind { static func free(_ pointer: OpaquePointer) { PKCS12_free(pointer) } }
#endif
