// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  internal import Steelpin

  /// Why one attempt to open a file failed.
  enum PKCS12Failure: Error {
    case malformed([NativeCode])
    case tooManyIterations(Int64)
    /// An algorithm of the file is in no provider of the context.
    case unsupported([NativeCode])
    case wrongPassword

    /// The error that the contract has for it.
    var published: PKCS12Error {
      switch self {
      case .malformed(let native): .malformed(native)
      case .tooManyIterations(let rounds): .tooManyIterations(rounds)
      case .unsupported(let native): .unsupportedAlgorithm(native)
      case .wrongPassword: .wrongPassword
      }
    }
  }

  /// One attempt to open a file in one library context.
  struct PKCS12Reader {
    private let der: [UInt8]
    private let password: [UInt8]
    private let context: OpaquePointer?

    init(_ der: [UInt8], _ password: [UInt8], context: OpaquePointer?) {
      self.der = der
      self.password = password
      self.context = context
    }

    func read() throws(PKCS12Failure) -> PKCS12Contents {
      ErrorQueue.clear()
      let file = try parse()
      var work = cossl_work(is_legacy: 0, limit: PKCS12Rounds.limit, rest: PKCS12Rounds.total, refused: 0)
      let hasMAC = PKCS12_mac_present(file.pointer) == 1
      if hasMAC, cossl_spend_mac(&work, file.pointer) == 0 { throw .tooManyIterations(work.refused) }
      let secret = try hasMAC ? verifiedPassword(file.pointer) : SecretText(password)
      let list = Handle<BagsKind>(
        adopting: secret.lend { text, count in cossl_bags_open(file.pointer, text, count, &work) })
      guard work.refused == 0 else { throw .tooManyIterations(work.refused) }
      guard let list else { throw failure(hasMAC: hasMAC) }

      var contents = PKCS12Contents(certificates: [], privateKeys: [])
      for index in 0..<cossl_bags_count(list.pointer) {
        guard let bag = cossl_bags_at(list.pointer, index) else { continue }
        var item: [UInt8]?
        switch PKCS12_SAFEBAG_get_nid(bag) {
        case NID_certBag:
          item = try certificate(bag)
          if let item { contents.certificates.append(item) }
        case NID_keyBag:
          guard let info = PKCS12_SAFEBAG_get0_p8inf(bag) else { throw .malformed(ErrorQueue.drain()) }
          item = DERExchange.encode(info, i2d_PKCS8_PRIV_KEY_INFO)
          if let item { contents.privateKeys.append(item) }
        case NID_pkcs8ShroudedKeyBag:
          let key = try privateKey(bag, secret, hasMAC: hasMAC, &work)
          item = key
          contents.privateKeys.append(key)
        default: break
        }
        if let item, let name = friendlyName(bag) { contents.friendlyNames[item] = name }
      }
      contents.usesLegacyEncryption = work.is_legacy != 0
      return contents
    }

    private func parse() throws(PKCS12Failure) -> Handle<PKCS12Kind> {
      // The object that is read into carries the context on to everything inside it.
      var pointer = PKCS12_init_ex(NID_pkcs7_data, context, nil)
      let consumed = der.withUnsafeBufferPointer { buffer in
        var cursor = buffer.baseAddress
        _ = d2i_PKCS12(&pointer, &cursor, buffer.count)
        return buffer.baseAddress.flatMap { start in cursor.map { $0 - start } } ?? 0
      }
      // On failure the library has freed the object and left NULL.
      guard let file = Handle<PKCS12Kind>(adopting: pointer), consumed == der.count else {
        throw .malformed(ErrorQueue.drain())
      }
      return file
    }

    /// The password as the MAC wants it: an empty one may be none at all, which is something else to PKCS#12.
    private func verifiedPassword(_ file: OpaquePointer) throws(PKCS12Failure) -> SecretText {
      let candidates = password.isEmpty ? [SecretText(nil), SecretText(password)] : [SecretText(password)]
      for secret in candidates where secret.lend({ PKCS12_verify_mac(file, $0, $1) }) == 1 { return secret }
      let native = ErrorQueue.drain()
      guard native.isEmpty else { throw Self.isUnsupported(native) ? .unsupported(native) : .malformed(native) }
      throw .wrongPassword
    }

    /// Why something could not be decrypted: if no MAC has proved the password, it is the first to be doubted.
    private func failure(hasMAC: Bool) -> PKCS12Failure {
      let native = ErrorQueue.drain()
      if Self.isUnsupported(native) { return .unsupported(native) }
      return hasMAC ? .malformed(native) : .wrongPassword
    }

    private static func isUnsupported(_ native: [NativeCode]) -> Bool {
      native.contains { code in
        UInt(code.code.dropFirst(6), radix: 16).map { ERR_GET_REASON($0) == ERR_R_UNSUPPORTED } ?? false
      }
    }

    /// The DER inside an x509Certificate bag (RFC 7292 4.2.3), byte for byte; nil for other kinds.
    private func certificate(_ bag: OpaquePointer) throws(PKCS12Failure) -> [UInt8]? {
      guard PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate else { return nil }
      guard let encoded = DERExchange.encode(bag, i2d_PKCS12_SAFEBAG) else { throw .malformed(ErrorQueue.drain()) }
      do {
        var fields = try DERReader.single(encoded[...], .sequence).reader()
        _ = try fields.read(.objectIdentifier)
        var inner = try DERReader.single(fields.read(.context(0, constructed: true)).content, .sequence).reader()
        _ = try inner.read(.objectIdentifier)
        return Array(
          try DERReader.single(inner.read(.context(0, constructed: true)).content, .octetString).content)
      } catch { throw .malformed([]) }
    }

    private func privateKey(
      _ bag: OpaquePointer, _ secret: SecretText, hasMAC: Bool, _ work: inout cossl_work
    ) throws(PKCS12Failure) -> [UInt8] {
      var algorithm: UnsafePointer<X509_ALGOR>?
      X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
      guard cossl_spend(&work, algorithm) == 1 else { throw .tooManyIterations(work.refused) }
      let info = Handle<PKCS8Kind>(
        adopting: secret.lend { text, count in PKCS12_decrypt_skey_ex(bag, text, count, context, nil) })
      guard let info, let key = DERExchange.encode(info.pointer, i2d_PKCS8_PRIV_KEY_INFO) else {
        throw failure(hasMAC: hasMAC)
      }
      return key
    }

    private func friendlyName(_ bag: OpaquePointer) -> String? {
      guard let text = PKCS12_get_friendlyname(bag) else { return nil }
      defer { CRYPTO_free(text, nil, 0) }
      return String(cString: text)
    }
  }
#endif
