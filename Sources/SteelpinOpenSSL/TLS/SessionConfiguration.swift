// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  internal import Steelpin

  extension TLSClientConfiguration {
    /// Sets what the client offers; false if the library refuses it.
    func apply(to ssl: OpaquePointer) -> Bool {
      let ocsp = Int(TLSEXT_STATUSTYPE_ocsp)
      guard SSL_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(minimumVersion.rawValue), nil) == 1,
        SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(maximumVersion.rawValue), nil) == 1,
        SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE, ocsp, nil) == 1
      else { return false }
      if let serverName {
        let result = serverName.withCString { name in
          SSL_ctrl(
            ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), UnsafeMutableRawPointer(mutating: name))
        }
        guard result == 1 else { return false }
      }
      let protocols = applicationProtocols.map { Array($0.utf8) }.filter { 1...255 ~= $0.count }
        .flatMap { [UInt8($0.count)] + $0 }
      // This one function returns 0 for success.
      return protocols.isEmpty || SSL_set_alpn_protos(ssl, protocols, CUnsignedInt(protocols.count)) == 0
    }
  }

  extension ClientIdentity {
    /// Sets the client's certificates and key; throws if the library refuses them or they do not belong together.
    func apply(to ssl: OpaquePointer) throws(BackendError) {
      try Identity.apply(certificates, privateKey, to: ssl, "use the client's certificate")
    }
  }

  enum Identity {
    /// Sets certificates, leaf first, and the leaf's key; throws if the library refuses them or they do not belong
    /// together.
    static func apply(
      _ certificates: [[UInt8]], _ privateKey: [UInt8], to ssl: OpaquePointer, _ operation: String
    ) throws(BackendError) {
      ErrorQueue.clear()
      for (index, der) in certificates.enumerated() {
        guard let certificate = DERExchange.decode(der, as: X509Kind.self, d2i_X509) else {
          throw ErrorQueue.error(operation)
        }
        let done =
          index == 0
          ? SSL_use_certificate(ssl, certificate.pointer) == 1
          : SSL_ctrl(ssl, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate.pointer)) == 1
        guard done else { throw ErrorQueue.error(operation) }
      }
      guard let info = DERExchange.decode(privateKey, as: PKCS8Kind.self, d2i_PKCS8_PRIV_KEY_INFO),
        let key = Handle<EVPKeyKind>(adopting: EVP_PKCS82PKEY(info.pointer)),
        SSL_use_PrivateKey(ssl, key.pointer) == 1, SSL_check_private_key(ssl) == 1
      else { throw ErrorQueue.error(operation) }
    }
  }
#endif
