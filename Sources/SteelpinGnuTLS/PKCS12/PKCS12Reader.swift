// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import CGnuTLSShims
  internal import Steelpin

  /// Takes a file apart with one password.
  struct PKCS12Reader {
    private let secret: SecretText
    private let hasMAC: Bool
    /// The rounds of key derivation that the file may still ask for.
    private var rest = PKCS12Rounds.total
    private var contents = PKCS12Contents(certificates: [], privateKeys: [])

    /// A reader with the password as the file's MAC wants it: an empty one may be none at all, which is something else
    /// to PKCS#12.
    init(_ file: borrowing Handle<PKCS12Kind>, _ password: [UInt8]) throws(PKCS12Error) {
      var rounds: UInt32 = 0
      // The name of the digest is asked for only to be freed: unasked, GnuTLS loses it when it does not know the digest.
      var digest: UnsafeMutablePointer<CChar>?
      let described = gnutls_pkcs12_mac_info(file.pointer, nil, nil, nil, &rounds, &digest)
      cgnutls_free(digest)
      if described >= 0 { try Self.spend(rounds, &rest) }
      let candidates = password.isEmpty ? [SecretText(nil), SecretText(password)] : [SecretText(password)]
      var code: CInt = 0
      for candidate in candidates {
        code = candidate.lend { gnutls_pkcs12_verify_mac(file.pointer, $0) }
        if code >= 0 {
          self.secret = candidate
          self.hasMAC = true
          return
        }
        // There is no MAC.
        if code == GNUTLS_E_ASN1_ELEMENT_NOT_FOUND {
          self.secret = SecretText(password)
          self.hasMAC = false
          return
        }
      }
      guard code != GNUTLS_E_MAC_VERIFY_FAILED else { throw .wrongPassword }
      try Self.check(code)
      throw .malformed([NativeCode(gnutls: code)])
    }

    mutating func read(_ file: borrowing Handle<PKCS12Kind>) throws(PKCS12Error) -> PKCS12Contents {
      var index: CInt = 0
      while true {
        guard let bag = Handle<BagKind>({ gnutls_pkcs12_bag_init(&$0) }) else {
          throw .backend(BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, "open a PKCS#12 file"))
        }
        let code = gnutls_pkcs12_get_bag(file.pointer, index, bag.pointer)
        if code == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { return contents }
        try Self.check(code)
        if Self.kind(0, of: bag) == GNUTLS_BAG_ENCRYPTED { try decrypt(bag) }
        let count = gnutls_pkcs12_bag_get_count(bag.pointer)
        try Self.check(count)
        // GnuTLS takes the first 32 items of a bag and says nothing of the rest, and a shorter list would be wrong.
        guard count < GnuTLSPKCS12Codec.bagLimit else {
          throw .backend(
            BackendError(
              backend: "gnutls", operation: "read \(GnuTLSPKCS12Codec.bagLimit) or more items in one part of a file",
              native: []))
        }
        for item in 0..<UInt32(count) { try read(item, of: bag) }
        index += 1
      }
    }

    private mutating func decrypt(_ bag: borrowing Handle<BagKind>) throws(PKCS12Error) {
      var schema: UInt32 = 0
      var rounds: UInt32 = 0
      let info = gnutls_pkcs12_bag_enc_info(bag.pointer, &schema, nil, nil, nil, &rounds, nil)
      try Self.spend(rounds, &rest)
      if info < 0 || Self.isLegacy(schema) { contents.usesLegacyEncryption = true }
      try checkDecryption(secret.lend { gnutls_pkcs12_bag_decrypt(bag.pointer, $0) })
    }

    private mutating func read(_ index: UInt32, of bag: borrowing Handle<BagKind>) throws(PKCS12Error) {
      var datum = gnutls_datum_t(data: nil, size: 0)
      try Self.check(gnutls_pkcs12_bag_get_data(bag.pointer, index, &datum))
      let bytes = Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
      let item: [UInt8]
      switch Self.kind(index, of: bag) {
      case GNUTLS_BAG_CERTIFICATE:
        item = bytes
        contents.certificates.append(item)
      case GNUTLS_BAG_PKCS8_KEY:
        item = bytes
        contents.privateKeys.append(item)
      case GNUTLS_BAG_PKCS8_ENCRYPTED_KEY:
        item = try decrypt(key: bytes)
        contents.privateKeys.append(item)
      default: return
      }
      var name: UnsafeMutablePointer<CChar>?
      if gnutls_pkcs12_bag_get_friendly_name(bag.pointer, index, &name) >= 0, let name {
        contents.friendlyNames[item] = String(cString: name)
      }
    }

    private mutating func decrypt(key bytes: [UInt8]) throws(PKCS12Error) -> [UInt8] {
      guard let key = Handle<X509PrivateKeyKind>({ gnutls_x509_privkey_init(&$0) }) else {
        throw .backend(BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, "decrypt a key"))
      }
      var schema: UInt32 = 0
      var rounds: UInt32 = 0
      let info = Datum.lend(bytes) {
        gnutls_pkcs8_info(&$0, GNUTLS_X509_FMT_DER, &schema, nil, nil, nil, &rounds, nil)
      }
      try Self.spend(rounds, &rest)
      if info < 0 || Self.isLegacy(schema) { contents.usesLegacyEncryption = true }
      let flags = secret.isNone ? GNUTLS_PKCS_NULL_PASSWORD.rawValue : 0
      let code = secret.lend { text in
        Datum.lend(bytes) {
          gnutls_x509_privkey_import_pkcs8(key.pointer, &$0, GNUTLS_X509_FMT_DER, text, flags)
        }
      }
      // With a password that the MAC has proved this is a key that GnuTLS cannot read, such as Java's without public part.
      if hasMAC, code == GNUTLS_E_DECRYPTION_FAILED {
        throw .backend(BackendError(gnutls: code, "read a key of the file"))
      }
      try checkDecryption(code)
      let plain = Datum.take {
        gnutls_x509_privkey_export2_pkcs8(key.pointer, GNUTLS_X509_FMT_DER, nil, GNUTLS_PKCS_PLAIN.rawValue, &$0)
      }
      try Self.check(plain.code)
      return plain.bytes
    }

    private static func spend(_ rounds: UInt32, _ rest: inout Int64) throws(PKCS12Error) {
      let rounds = Int64(rounds)
      guard rounds <= PKCS12Rounds.limit, rounds <= rest else { throw .tooManyIterations(rounds) }
      rest -= rounds
    }

    /// The kind of an item; no kind has the number that an error becomes.
    private static func kind(_ index: UInt32, of bag: borrowing Handle<BagKind>) -> gnutls_pkcs12_bag_type_t {
      gnutls_pkcs12_bag_type_t(rawValue: UInt32(bitPattern: gnutls_pkcs12_bag_get_type(bag.pointer, index)))
    }

    /// Whether a schema is not PBES2, or PBES2 with a cipher of the last century.
    private static func isLegacy(_ schema: UInt32) -> Bool {
      let old = [
        GNUTLS_PKCS_PKCS12_3DES, GNUTLS_PKCS_PKCS12_ARCFOUR, GNUTLS_PKCS_PKCS12_RC2_40, GNUTLS_PKCS_PBES2_3DES,
        GNUTLS_PKCS_PBES2_DES, GNUTLS_PKCS_PBES1_DES_MD5,
      ]
      return old.contains { $0.rawValue & schema != 0 }
    }

    /// If no MAC has proved the password, it is the first to be doubted when something cannot be decrypted.
    private func checkDecryption(_ code: CInt) throws(PKCS12Error) {
      do throws(PKCS12Error) {
        try Self.check(code)
      } catch {
        if !hasMAC, case .malformed = error { throw .wrongPassword }
        throw error
      }
    }

    /// Limits are the library's fault, all else the file's.
    private static func check(_ code: CInt) throws(PKCS12Error) {
      guard code < 0 else { return }
      switch code {
      case GNUTLS_E_MEMORY_ERROR: throw .backend(BackendError(gnutls: code, "read a part of the file"))
      case GNUTLS_E_UNKNOWN_CIPHER_TYPE, GNUTLS_E_UNKNOWN_HASH_ALGORITHM, GNUTLS_E_UNKNOWN_ALGORITHM,
        GNUTLS_E_UNIMPLEMENTED_FEATURE:
        throw .unsupportedAlgorithm([NativeCode(gnutls: code)])
      default: throw .malformed([NativeCode(gnutls: code)])
      }
    }
  }
#endif
