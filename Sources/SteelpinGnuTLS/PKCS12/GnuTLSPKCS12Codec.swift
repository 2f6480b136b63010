// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  public import Steelpin

  /// PKCS#12 by GnuTLS, which knows the old ciphers itself. It takes no more than 31 items from one part of a file, no
  /// password with a zero octet, and writes no friendly name outside ASCII; all are errors of the backend.
  public struct GnuTLSPKCS12Codec: PKCS12Codec {
    /// MAX_BAG_ELEMENTS of GnuTLS, one more than it writes.
    static let bagLimit: CInt = 32
    /// The items that GnuTLS writes into one bag.
    private static let bagCapacity = Int(bagLimit) - 1

    /// A codec; it has no state.
    public init() {}

    /// Opens a file.
    public func open(pkcs12: [UInt8], password: [UInt8]) throws(PKCS12Error) -> PKCS12Contents {
      guard !password.contains(0) else { throw .backend(Self.zeroOctet) }
      guard let file = Handle<PKCS12Kind>({ gnutls_pkcs12_init(&$0) }) else {
        throw .backend(BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, "open a PKCS#12 file"))
      }
      let code = Datum.lend(pkcs12) { gnutls_pkcs12_import(file.pointer, &$0, GNUTLS_X509_FMT_DER, 0) }
      guard code >= 0 else { throw .malformed([NativeCode(gnutls: code)]) }
      var reader = try PKCS12Reader(file, password)
      return try reader.read(file)
    }

    /// Makes a file.
    public func seal(_ contents: PKCS12Contents, password: [UInt8]) throws(PKCS12Error) -> [UInt8] {
      do throws(BackendError) { return try seal(contents, password) } catch { throw .backend(error) }
    }

    private func seal(_ contents: PKCS12Contents, _ password: [UInt8]) throws(BackendError) -> [UInt8] {
      let operation = "make a PKCS#12 file"
      guard !password.contains(0) else { throw Self.zeroOctet }
      guard let file = Handle<PKCS12Kind>({ gnutls_pkcs12_init(&$0) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, operation)
      }
      let secret = SecretText(password)
      var publicKeys: [[UInt8]] = []
      var keys: [Item] = []
      for key in contents.privateKeys {
        let publicKey = try GnuTLSKeyProvider().importKey(pkcs8: key).publicKeyInfo
        publicKeys.append(publicKey)
        keys.append(
          Item(
            bytes: try Self.encrypt(key, secret, operation), name: contents.friendlyNames[key],
            identifier: PKCS12Contents.keyIdentifier(ofKey: publicKey)))
      }
      let certificates = contents.certificates.map { certificate in
        Item(
          bytes: certificate, name: contents.friendlyNames[certificate],
          identifier: PKCS12Contents.keyIdentifier(of: certificate, among: publicKeys))
      }
      for start in stride(from: 0, to: certificates.count, by: Self.bagCapacity) {
        let bag = try Self.bag(
          certificates[start...].prefix(Self.bagCapacity), GNUTLS_BAG_CERTIFICATE, operation)
        try Self.check(
          secret.lend { gnutls_pkcs12_bag_encrypt(bag.pointer, $0, GNUTLS_PKCS_PBES2_AES_256.rawValue) }, operation)
        try Self.check(gnutls_pkcs12_set_bag(file.pointer, bag.pointer), operation)
      }
      // The keys are encrypted one by one already.
      for start in stride(from: 0, to: keys.count, by: Self.bagCapacity) {
        let bag = try Self.bag(
          keys[start...].prefix(Self.bagCapacity), GNUTLS_BAG_PKCS8_ENCRYPTED_KEY, operation)
        try Self.check(gnutls_pkcs12_set_bag(file.pointer, bag.pointer), operation)
      }
      try Self.check(
        secret.lend { gnutls_pkcs12_generate_mac2(file.pointer, GNUTLS_MAC_SHA256, $0) }, operation)
      let bytes = Datum.take { gnutls_pkcs12_export2(file.pointer, GNUTLS_X509_FMT_DER, &$0) }
      try Self.check(bytes.code, operation)
      return bytes.bytes
    }

    /// A certificate or an encrypted key with what stands beside it.
    private struct Item {
      let bytes: [UInt8]
      let name: String?
      let identifier: [UInt8]?
    }

    private static func bag(
      _ items: some Sequence<Item>, _ kind: gnutls_pkcs12_bag_type_t, _ operation: String
    ) throws(BackendError) -> Handle<BagKind> {
      guard let bag = Handle<BagKind>({ gnutls_pkcs12_bag_init(&$0) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, operation)
      }
      for item in items {
        let index = Datum.lend(item.bytes) { gnutls_pkcs12_bag_set_data(bag.pointer, kind, &$0) }
        try check(index, operation)
        if let name = item.name {
          // Every octet would become a character of its own.
          guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw BackendError(gnutls: GNUTLS_E_UNIMPLEMENTED_FEATURE, "write a friendly name outside ASCII")
          }
          try check(gnutls_pkcs12_bag_set_friendly_name(bag.pointer, UInt32(clamping: index), name), operation)
        }
        if let identifier = item.identifier {
          try check(
            Datum.lend(identifier) { gnutls_pkcs12_bag_set_key_id(bag.pointer, UInt32(clamping: index), &$0) },
            operation)
        }
      }
      return bag
    }

    private static func encrypt(
      _ pkcs8: [UInt8], _ secret: SecretText, _ operation: String
    ) throws(BackendError) -> [UInt8] {
      guard let key = Handle<X509PrivateKeyKind>({ gnutls_x509_privkey_init(&$0) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, operation)
      }
      try check(
        Datum.lend(pkcs8) {
          gnutls_x509_privkey_import_pkcs8(key.pointer, &$0, GNUTLS_X509_FMT_DER, nil, GNUTLS_PKCS_PLAIN.rawValue)
        }, operation)
      let encrypted = secret.lend { text in
        Datum.take {
          gnutls_x509_privkey_export2_pkcs8(
            key.pointer, GNUTLS_X509_FMT_DER, text, GNUTLS_PKCS_PBES2_AES_256.rawValue, &$0)
        }
      }
      try check(encrypted.code, operation)
      return encrypted.bytes
    }

    private static func check(_ code: CInt, _ operation: String) throws(BackendError) {
      guard code >= 0 else { throw BackendError(gnutls: code, operation) }
    }

    private static let zeroOctet = BackendError(
      gnutls: GNUTLS_E_INVALID_REQUEST, "take a password with a zero octet in it")
  }

  /// A password as GnuTLS takes it: characters up to a zero, or NULL for none at all.
  struct SecretText {
    private let octets: [CChar]?

    /// A password without zero octets; nil for none.
    init(_ password: [UInt8]?) { self.octets = password.map { $0.map { CChar(bitPattern: $0) } + [0] } }

    /// Whether there is none at all.
    var isNone: Bool { octets == nil }

    /// Lends the characters.
    func lend<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
      guard let octets else { return body(nil) }
      return octets.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }

  enum BagKind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_pkcs12_bag_deinit(pointer) } }
  enum PKCS12Kind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_pkcs12_deinit(pointer) } }
#endif
