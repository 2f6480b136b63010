// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import CGnuTLSShims
  public import Steelpin

  /// PKCS#12 files by GnuTLS.
  public struct GnuTLSPKCS12Codec: PKCS12Codec {
    /// A codec; it has no state.
    public init() {}

    /// Decrypts a PFX.
    public func open(pkcs12: [UInt8], password: [UInt8]) throws(PKCS12Error) -> PKCS12Contents {
      guard !password.contains(0) else { throw .wrongPassword }
      let password = String(decoding: password, as: UTF8.self)
      guard let file = Handle<PKCS12Kind>({ gnutls_pkcs12_init(&$0) }) else {
        throw Self.failure(GNUTLS_E_MEMORY_ERROR)
      }
      let imported = Datum.lend(pkcs12) { gnutls_pkcs12_import(file.pointer, &$0, GNUTLS_X509_FMT_DER, 0) }
      guard imported >= 0 else { throw .malformed([NativeCode(gnutls: imported)]) }
      let verified = gnutls_pkcs12_verify_mac(file.pointer, password)
      guard verified != GNUTLS_E_MAC_VERIFY_FAILED else { throw .wrongPassword }
      // A file without a MAC is legal (RFC 7292 4), if rare.
      guard verified >= 0 || verified == GNUTLS_E_ASN1_ELEMENT_NOT_FOUND else {
        throw .malformed([NativeCode(gnutls: verified)])
      }
      var contents = PKCS12Contents(certificates: [], privateKeys: [])
      for index in 0..<CInt.max {
        guard let bag = Handle<PKCS12BagKind>({ gnutls_pkcs12_bag_init(&$0) }) else {
          throw Self.failure(GNUTLS_E_MEMORY_ERROR)
        }
        let code = gnutls_pkcs12_get_bag(file.pointer, index, bag.pointer)
        if code == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { break }
        guard code >= 0 else { throw .malformed([NativeCode(gnutls: code)]) }
        try Self.read(bag, password, into: &contents)
      }
      return contents
    }

    private static func read(
      _ bag: borrowing Handle<PKCS12BagKind>, _ password: String, into contents: inout PKCS12Contents
    ) throws(PKCS12Error) {
      if type(of: bag, 0) == GNUTLS_BAG_ENCRYPTED {
        var cipher: UInt32 = 0
        let known = gnutls_pkcs12_bag_enc_info(bag.pointer, nil, &cipher, nil, nil, nil, nil)
        if known < 0 || isLegacy(cipher) { contents.usesLegacyEncryption = true }
        let code = gnutls_pkcs12_bag_decrypt(bag.pointer, password)
        guard code >= 0 else {
          if code == GNUTLS_E_DECRYPTION_FAILED { throw .wrongPassword }
          throw .malformed([NativeCode(gnutls: code)])
        }
      }
      let count = max(0, gnutls_pkcs12_bag_get_count(bag.pointer))
      // GnuTLS reads the first 32 values of a bag and says nothing of the rest, and a shorter list would be wrong.
      guard count < bagLimit else {
        throw .backend(
          BackendError(
            backend: "gnutls", operation: "open a PKCS#12 file with \(bagLimit) or more values in one bag", native: []))
      }
      for index in 0..<count {
        var datum = gnutls_datum_t(data: nil, size: 0)
        let code = gnutls_pkcs12_bag_get_data(bag.pointer, UInt32(clamping: index), &datum)
        guard code >= 0 else { throw .malformed([NativeCode(gnutls: code)]) }
        // The bag keeps the bytes.
        let bytes = Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
        switch type(of: bag, index) {
        case GNUTLS_BAG_CERTIFICATE: contents.certificates.append(bytes)
        case GNUTLS_BAG_PKCS8_KEY: contents.privateKeys.append(bytes)
        case GNUTLS_BAG_PKCS8_ENCRYPTED_KEY:
          contents.privateKeys.append(try decrypt(bytes, password, &contents.usesLegacyEncryption))
        default: break
        }
      }
    }

    /// MAX_BAG_ELEMENTS of GnuTLS; it can write one value fewer.
    private static let bagLimit: CInt = 32

    /// The kind of a value; GnuTLS returns its enumeration, or a negative error, as a number.
    private static func type(of bag: borrowing Handle<PKCS12BagKind>, _ index: CInt) -> gnutls_pkcs12_bag_type_t {
      let number = gnutls_pkcs12_bag_get_type(bag.pointer, UInt32(clamping: index))
      return gnutls_pkcs12_bag_type_t(rawValue: UInt32(clamping: number))
    }

    private static func decrypt(
      _ bytes: [UInt8], _ password: String, _ usesLegacyEncryption: inout Bool
    ) throws(PKCS12Error) -> [UInt8] {
      var cipher: UInt32 = 0
      let known = Datum.lend(bytes) {
        gnutls_pkcs8_info(&$0, GNUTLS_X509_FMT_DER, nil, &cipher, nil, nil, nil, nil)
      }
      if known < 0 || isLegacy(cipher) { usesLegacyEncryption = true }
      guard let key = Handle<X509PrivateKeyKind>({ gnutls_x509_privkey_init(&$0) }) else {
        throw failure(GNUTLS_E_MEMORY_ERROR)
      }
      let imported = Datum.lend(bytes) {
        gnutls_x509_privkey_import_pkcs8(key.pointer, &$0, GNUTLS_X509_FMT_DER, password, 0)
      }
      guard imported >= 0 else { throw .malformed([NativeCode(gnutls: imported)]) }
      let (code, plain) = Datum.take {
        gnutls_x509_privkey_export2_pkcs8(key.pointer, GNUTLS_X509_FMT_DER, nil, GNUTLS_PKCS_PLAIN.rawValue, &$0)
      }
      guard code >= 0 else { throw failure(code) }
      return plain
    }

    private static func isLegacy(_ cipher: UInt32) -> Bool {
      ![GNUTLS_CIPHER_AES_128_CBC, GNUTLS_CIPHER_AES_192_CBC, GNUTLS_CIPHER_AES_256_CBC].contains {
        $0.rawValue == cipher
      }
    }

    fileprivate static func failure(_ code: CInt) -> PKCS12Error {
      .backend(BackendError(gnutls: code, "open or make a PKCS#12 file"))
    }
  }

  /// Making files.
  extension GnuTLSPKCS12Codec {
    /// Makes a PFX. GnuTLS cannot write the attribute by which Java takes a certificate for an anchor.
    public func seal(_ contents: PKCS12Contents, password: [UInt8]) throws(PKCS12Error) -> [UInt8] {
      guard !password.contains(0), let file = Handle<PKCS12Kind>({ gnutls_pkcs12_init(&$0) }) else {
        throw Self.failure(GNUTLS_E_INVALID_REQUEST)
      }
      let password = String(decoding: password, as: UTF8.self)
      let size = Int(Self.bagLimit) - 1
      for start in stride(from: 0, to: contents.certificates.count, by: size) {
        let part = contents.certificates[start..<min(start + size, contents.certificates.count)]
        try Self.add(Array(part), GNUTLS_BAG_CERTIFICATE, to: file, password: password)
      }
      let keys = try contents.privateKeys.map { (key) throws(PKCS12Error) in try Self.encrypt(key, password) }
      if !keys.isEmpty { try Self.add(keys, GNUTLS_BAG_PKCS8_ENCRYPTED_KEY, to: file, password: nil) }
      let code = gnutls_pkcs12_generate_mac2(file.pointer, GNUTLS_MAC_SHA256, password)
      guard code >= 0 else { throw Self.failure(code) }
      let (exported, bytes) = Datum.take { gnutls_pkcs12_export2(file.pointer, GNUTLS_X509_FMT_DER, &$0) }
      guard exported >= 0 else { throw Self.failure(exported) }
      return bytes
    }

    private static func add(
      _ values: [[UInt8]], _ type: gnutls_pkcs12_bag_type_t, to file: borrowing Handle<PKCS12Kind>, password: String?
    ) throws(PKCS12Error) {
      guard let bag = Handle<PKCS12BagKind>({ gnutls_pkcs12_bag_init(&$0) }) else {
        throw failure(GNUTLS_E_MEMORY_ERROR)
      }
      for value in values {
        let code = Datum.lend(value) { gnutls_pkcs12_bag_set_data(bag.pointer, type, &$0) }
        guard code >= 0 else { throw failure(code) }
        if let name = (try? Certificate(der: value))?.subject.commonName {
          gnutls_pkcs12_bag_set_friendly_name(bag.pointer, UInt32(clamping: code), name)
        }
      }
      if let password {
        let code = gnutls_pkcs12_bag_encrypt(bag.pointer, password, GNUTLS_PKCS_PBES2_AES_256.rawValue)
        guard code >= 0 else { throw failure(code) }
      }
      let code = gnutls_pkcs12_set_bag(file.pointer, bag.pointer)
      guard code >= 0 else { throw failure(code) }
    }

    private static func encrypt(_ pkcs8: [UInt8], _ password: String) throws(PKCS12Error) -> [UInt8] {
      guard let key = Handle<X509PrivateKeyKind>({ gnutls_x509_privkey_init(&$0) }) else {
        throw failure(GNUTLS_E_MEMORY_ERROR)
      }
      let imported = Datum.lend(pkcs8) {
        gnutls_x509_privkey_import_pkcs8(key.pointer, &$0, GNUTLS_X509_FMT_DER, nil, GNUTLS_PKCS_PLAIN.rawValue)
      }
      guard imported >= 0 else { throw failure(imported) }
      let (code, bytes) = Datum.take {
        gnutls_x509_privkey_export2_pkcs8(
          key.pointer, GNUTLS_X509_FMT_DER, password, GNUTLS_PKCS_PBES2_AES_256.rawValue, &$0)
      }
      guard code >= 0 else { throw failure(code) }
      return bytes
    }
  }

  private enum PKCS12Kind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_pkcs12_deinit(pointer) } }
  private enum PKCS12BagKind: HandleKind {
    static func free(_ pointer: OpaquePointer) { gnutls_pkcs12_bag_deinit(pointer) }
  }
#endif
