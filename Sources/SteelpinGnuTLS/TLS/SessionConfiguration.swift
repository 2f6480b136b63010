// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Steelpin

  extension TLSClientConfiguration {
    /// Sets what the client offers; throws if the library refuses it.
    func apply(to session: OpaquePointer) throws(BackendError) {
      func demand(_ code: CInt, _ what: String) throws(BackendError) {
        guard code >= 0 else { throw BackendError(gnutls: code, "offer \(what)") }
      }
      try demand(gnutls_priority_set_direct(session, Priority.string(for: self), nil), "TLS parameters")
      try demand(gnutls_ocsp_status_request_enable_client(session, nil, 0, nil), "OCSP stapling")
      if let serverName {
        let name = Array(serverName.utf8)
        try demand(gnutls_server_name_set(session, GNUTLS_NAME_DNS, name, name.count), "a server name")
      }
      guard !applicationProtocols.isEmpty else { return }
      // One buffer holds all names, so that the datums point into memory that outlives the loop.
      var names = applicationProtocols.flatMap { Array($0.utf8) }
      let counts = applicationProtocols.map(\.utf8.count)
      let code = names.withUnsafeMutableBufferPointer { buffer in
        var position = 0
        let datums = counts.map { count in
          defer { position += count }
          return gnutls_datum_t(data: buffer.baseAddress.map { $0 + position }, size: UInt32(clamping: count))
        }
        return gnutls_alpn_set_protocols(session, datums, UInt32(clamping: datums.count), 0)
      }
      try demand(code, "application protocols")
    }
  }

  /// Priority strings; gnutls-priority in GnuTLS's manual.
  private enum Priority {
    /// All that the library can do, in the order that both engines share. Servers are looked at, not trusted with
    /// secrets, so weak parameters are in it.
    static func string(for configuration: TLSClientConfiguration) -> String {
      let versions: [(TLSVersion, String)] = [
        (.tls13, "1.3"), (.tls12, "1.2"), (.tls11, "1.1"), (.tls10, "1.0"),
      ]
      let offered = versions.filter { configuration.minimumVersion...configuration.maximumVersion ~= $0.0 }
      let versionItems = offered.map { "+VERS-TLS\($0.1)" }
      return (["NORMAL:-VERS-ALL"] + versionItems + ["-GROUP-ALL"] + hybridGroups + parameters).joined(separator: ":")
    }

    /// The groups of ML-KEM with a curve, as far as the library has them; it refuses names that it does not know.
    private static let hybridGroups: [String] = {
      var names: [String] = []
      var group = gnutls_group_list()
      while let next = group, next.pointee != GNUTLS_GROUP_INVALID {
        if let name = gnutls_group_get_name(next.pointee).map({ String(cString: $0) }), name.contains("MLKEM") {
          names.append("+GROUP-" + name)
        }
        group = next.successor()
      }
      // The smaller ones first, which is also the order of OpenSSL.
      return names.sorted { ($0.contains("X25519") ? "" : $0) < ($1.contains("X25519") ? "" : $1) }
    }()

    private static let parameters = [
      "-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:+AES-128-CCM:+AES-128-CCM-8:+AES-256-CCM",
      "+AES-256-CCM-8:+CAMELLIA-256-GCM:+CAMELLIA-128-GCM:+AES-256-CBC:+AES-128-CBC:+CAMELLIA-256-CBC",
      "+CAMELLIA-128-CBC:+3DES-CBC",
      "-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:+DHE-RSA:+RSA",
      "-MAC-ALL:+AEAD:+SHA384:+SHA256:+SHA1:+SIGN-RSA-SHA1:+SIGN-ECDSA-SHA1",
      "+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:+GROUP-SECP521R1:+GROUP-X448",
      "+GROUP-FFDHE2048:+GROUP-FFDHE3072:+GROUP-FFDHE4096:+GROUP-FFDHE6144:+GROUP-FFDHE8192",
      "%PARTIAL_RENEGOTIATION:%PROFILE_VERY_WEAK",
    ]
  }

  /// The client's certificate and key, or none: in any case GnuTLS wants an object for them.
  struct Credentials: ~Copyable {
    private let handle: Handle<CredentialsKind>

    init(_ identity: ClientIdentity?) throws(BackendError) {
      guard let handle = Handle<CredentialsKind>({ gnutls_certificate_allocate_credentials(&$0) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, "start a TLS session")
      }
      if let identity { try Self.use(identity, in: handle.pointer) }
      self.handle = handle
    }

    func apply(to session: OpaquePointer) throws(BackendError) {
      let code = gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(handle.pointer))
      guard code >= 0 else { throw BackendError(gnutls: code, "start a TLS session") }
    }

    private static func use(_ identity: ClientIdentity, in credentials: OpaquePointer) throws(BackendError) {
      let operation = "use the client's certificate"
      guard let key = Handle<X509PrivateKeyKind>({ gnutls_x509_privkey_init(&$0) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, operation)
      }
      var code = Datum.lend(identity.privateKey) {
        gnutls_x509_privkey_import_pkcs8(key.pointer, &$0, GNUTLS_X509_FMT_DER, nil, GNUTLS_PKCS_PLAIN.rawValue)
      }
      guard code >= 0 else { throw BackendError(gnutls: code, operation) }
      var chain: [DecodedCertificate] = []
      for der in identity.certificates {
        guard let certificate = try? Certificate(der: der),
          let decoded = try? DecodedCertificate.decode(certificate)
        else { throw BackendError(gnutls: GNUTLS_E_CERTIFICATE_ERROR, operation) }
        chain.append(decoded)
      }
      var pointers: [OpaquePointer?] = chain.map { $0.withPointer { $0 } }
      code = withExtendedLifetime(chain) {
        gnutls_certificate_set_x509_key(credentials, &pointers, CInt(clamping: pointers.count), key.pointer)
      }
      guard code >= 0 else { throw BackendError(gnutls: code, operation) }
    }
  }

  enum CredentialsKind: HandleKind {
    static func free(_ pointer: OpaquePointer) { gnutls_certificate_free_credentials(pointer) }
  }
#endif
