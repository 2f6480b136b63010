// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import Steelpin

  /// One connection of libssl over two memory buffers.
  final class OpenSSLSession: TLSSession {
    private let handle: Handle<SSLKind>
    private var observer = HandshakeObserver()
    private var preamble = RecordPreamble()
    private var hasEnded = false
    private var received: TLSAlert?
    private var sent: TLSAlert?

    private var ssl: OpaquePointer { handle.pointer }

    init(_ handle: consuming Handle<SSLKind>, _ configuration: TLSClientConfiguration) throws(BackendError) {
      self.handle = handle
      let operation = "start a TLS session"
      guard let input = Handle<BIOKind>(adopting: BIO_new(BIO_s_mem())),
        let output = Handle<BIOKind>(adopting: BIO_new(BIO_s_mem()))
      else { throw ErrorQueue.error(operation) }
      SSL_set_bio(ssl, input.take(), output.take())
      SSL_set_connect_state(ssl)
      SSL_set_msg_callback(ssl, Self.observeMessage)
      _ = SSL_ctrl(ssl, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, Unmanaged.passUnretained(self).toOpaque())
      guard configuration.apply(to: ssl) else { throw ErrorQueue.error(operation) }
      if let identity = configuration.clientIdentity { try identity.apply(to: ssl) }
    }

    var summary: HandshakeSummary? { observer.summary }

    func receive(_ ciphertext: ArraySlice<UInt8>) {
      preamble.receive(ciphertext)
      ciphertext.withUnsafeBufferPointer { buffer in
        _ = BIO_write(SSL_get_rbio(ssl), buffer.baseAddress, CInt(clamping: buffer.count))
      }
    }

    func receiveEnd() { hasEnded = true }

    func takeOutput() -> [UInt8] {
      let output = SSL_get_wbio(ssl)
      let count = BIO_ctrl_pending(output)
      guard count > 0 else { return [] }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = max(0, Int(BIO_read(output, buffer.baseAddress, CInt(clamping: count))))
      }
    }

    func handshake() throws(TLSFailure) -> TLSProgress {
      if let failure = preamble.failure { throw TLSFailure(failure, native: []) }
      ErrorQueue.clear()
      let result = SSL_do_handshake(ssl)
      if result == 1 { return .complete }
      switch SSL_get_error(ssl, result) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
        if hasEnded { throw TLSFailure(.closedEarly, native: []) }
        return .needsInput
      default: throw failure()
      }
    }

    func read(atMost count: Int) throws(TLSFailure) -> TLSReadResult {
      ErrorQueue.clear()
      var result: CInt = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, initialized in
        result = SSL_read(ssl, buffer.baseAddress, CInt(clamping: buffer.count))
        initialized = max(0, Int(result))
      }
      if result > 0 { return .data(bytes) }
      switch SSL_get_error(ssl, result) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return hasEnded ? .closed : .needsInput
      case SSL_ERROR_ZERO_RETURN: return .closed
      default: throw failure()
      }
    }

    func write(_ plaintext: ArraySlice<UInt8>) throws(TLSFailure) {
      guard !plaintext.isEmpty else { return }
      ErrorQueue.clear()
      let written = plaintext.withUnsafeBufferPointer { buffer in
        SSL_write(ssl, buffer.baseAddress, CInt(clamping: buffer.count))
      }
      guard written == plaintext.count else { throw failure() }
    }

    func close() {
      ErrorQueue.clear()
      _ = SSL_shutdown(ssl)
      ErrorQueue.clear()
    }

    private func failure() -> TLSFailure {
      let native = ErrorQueue.drain()
      if let received {
        return TLSFailure(.received(received, afterServerHello: observer.sawServerHello), native: native)
      }
      if let sent { return TLSFailure(.sent(sent), native: native) }
      return TLSFailure(hasEnded ? .closedEarly : .engine, native: native)
    }

    /// Sees every message that the library wrote (`isWritten`) or read, decrypted; SSL_set_msg_callback(3).
    private static let observeMessage:
      @convention(c) (CInt, CInt, CInt, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
        isWritten, _, contentType, bytes, count, _, argument in
        guard let argument, let bytes, count > 0 else { return }
        let session = Unmanaged<OpenSSLSession>.fromOpaque(argument).takeUnretainedValue()
        session.observe(
          isWritten: isWritten != 0, contentType: contentType,
          Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      }

    private func observe(isWritten: Bool, contentType: CInt, _ message: [UInt8]) {
      switch contentType {
      case SSL3_RT_HANDSHAKE:
        // A header of type and length precedes the body.
        guard !isWritten, message.count >= 4 else { return }
        observer.receive(type: message[0], body: message[4...])
      case SSL3_RT_ALERT:
        guard message.count == 2, message[0] == SSL3_AL_FATAL else { return }
        let alert = TLSAlert(rawValue: message[1])
        if isWritten { sent = alert } else { received = alert }
      default: break
      }
    }
  }
#endif
