// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import Steelpin

  /// One connection of libssl as a server, which never resumes an earlier one: every client is shown the certificates.
  final class OpenSSLServerSession: TLSServerSession {
    private let context: Handle<SSLContextKind>
    private let handle: Handle<SSLKind>
    private let staple: [UInt8]?
    private var hasEnded = false
    private(set) var client = TLSClientObservation()

    private var ssl: OpaquePointer { handle.pointer }

    init(_ configuration: TLSServerConfiguration) throws(BackendError) {
      let operation = "start a TLS server"
      ErrorQueue.clear()
      self.staple = configuration.stapledOCSPResponse
      self.context = try Self.context(configuration, operation)
      guard let handle = Handle<SSLKind>(adopting: SSL_new(context.pointer)) else {
        throw ErrorQueue.error(operation)
      }
      self.handle = handle
      guard self.handle.attachBuffers() else { throw ErrorQueue.error(operation) }
      SSL_set_accept_state(ssl)
      try Identity.apply(configuration.certificates, configuration.privateKey, to: ssl, operation)
      SSL_set_msg_callback(ssl, Self.observeMessage)
      let argument = Unmanaged.passUnretained(self).toOpaque()
      _ = SSL_ctrl(ssl, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, argument)
      if staple != nil {
        _ = SSL_CTX_callback_ctrl(
          context.pointer, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB,
          unsafeBitCast(Self.stapleResponse, to: (@convention(c) () -> Void).self))
        _ = SSL_CTX_ctrl(context.pointer, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB_ARG, 0, argument)
      }
    }

    private static func context(
      _ configuration: TLSServerConfiguration, _ operation: String
    ) throws(BackendError) -> Handle<SSLContextKind> {
      guard let handle = Handle<SSLContextKind>(adopting: SSL_CTX_new(TLS_server_method())) else {
        throw ErrorQueue.error(operation)
      }
      let context = handle.pointer
      // Weak certificates are served, too: it is for the client to object.
      SSL_CTX_set_security_level(context, 0)
      _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
      _ = SSL_CTX_set_options(context, noTicket)
      guard SSL_CTX_set_num_tickets(context, 0) == 1,
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(configuration.minimumVersion.rawValue), nil) == 1,
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(configuration.maximumVersion.rawValue), nil) == 1
      else { throw ErrorQueue.error(operation) }
      guard !configuration.clientAuthorities.isEmpty else { return handle }
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
      // Whether it is the right certificate is judged by its octets.
      SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
      for der in configuration.clientAuthorities {
        guard let authority = DERExchange.decode(der, as: X509Kind.self, d2i_X509),
          SSL_CTX_add_client_CA(context, authority.pointer) == 1
        else { throw ErrorQueue.error(operation) }
      }
      return handle
    }

    func receive(_ ciphertext: ArraySlice<UInt8>) { handle.feed(ciphertext) }

    func receiveEnd() { hasEnded = true }

    func takeOutput() -> [UInt8] { handle.drain() }

    func handshake() throws(TLSFailure) -> TLSProgress {
      ErrorQueue.clear()
      let result = SSL_do_handshake(ssl)
      if let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) { client.serverName = String(cString: name) }
      if result == 1 {
        client.version = TLSVersion(rawValue: UInt16(clamping: SSL_version(ssl)))
        if let certificate = Handle<X509Kind>(adopting: SSL_get1_peer_certificate(ssl)) {
          client.certificate = DERExchange.encode(certificate.pointer, i2d_X509)
        }
        return .complete
      }
      switch SSL_get_error(ssl, result) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
        if hasEnded { throw TLSFailure(.closedEarly, native: []) }
        return .needsInput
      default: throw failure()
      }
    }

    func read(atMost count: Int) throws(TLSFailure) -> TLSReadResult {
      switch handle.read(atMost: count) {
      case .data(let bytes): return .data(bytes)
      case .wantsInput: return hasEnded ? .closed : .needsInput
      case .closed: return .closed
      case .failed: throw failure()
      }
    }

    func write(_ plaintext: ArraySlice<UInt8>) throws(TLSFailure) {
      guard handle.write(plaintext) else { throw failure() }
    }

    func close() { handle.shutDown() }

    func breakOff() {
      // There is no call that sends a fatal alert; a record that nobody can decrypt makes the library send one.
      let applicationData: UInt8 = 23
      handle.feed([applicationData, 3, 3, 0, 64] + [UInt8](repeating: 0x5A, count: 64))
      while case .data = handle.read(atMost: 4096) {}
    }

    private func failure() -> TLSFailure {
      let native = ErrorQueue.drain()
      if let alert = client.alert { return TLSFailure(.alertReceived(alert.rawValue), native: native) }
      return TLSFailure(hasEnded ? .closedEarly : .engine, native: native)
    }

    /// Sees the client's alerts, decrypted; SSL_set_msg_callback(3).
    private static let observeMessage:
      @convention(c) (CInt, CInt, CInt, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
        isWritten, _, contentType, bytes, count, _, argument in
        guard isWritten == 0, contentType == SSL3_RT_ALERT, count == 2, let argument, let bytes else { return }
        let session = Unmanaged<OpenSSLServerSession>.fromOpaque(argument).takeUnretainedValue()
        let message = UnsafeRawBufferPointer(start: bytes, count: count)
        session.observe(level: message[0], TLSAlert(rawValue: message[1]))
      }

    private func observe(level: UInt8, _ alert: TLSAlert) {
      if alert == .closeNotify {
        client.hasClosed = true
      } else if level == SSL3_AL_FATAL || alert == .userCanceled {
        client.alert = client.alert ?? alert
      }
    }

    /// Hands out the stapled response; SSL_CTX_set_tlsext_status_cb(3).
    private static let stapleResponse: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = {
      ssl, argument in
      guard let ssl, let argument,
        let staple = Unmanaged<OpenSSLServerSession>.fromOpaque(argument).takeUnretainedValue().staple,
        // The connection frees the copy.
        let copy = staple.withUnsafeBytes({ CRYPTO_memdup($0.baseAddress, $0.count, nil, 0) })
      else { return SSL_TLSEXT_ERR_NOACK }
      _ = SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, staple.count, copy)
      return SSL_TLSEXT_ERR_OK
    }

    /// A macro of <openssl/ssl.h> that the importer cannot see.
    private static let noTicket: UInt64 = 1 << 14
  }
#endif
