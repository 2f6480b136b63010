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
      guard self.handle.attachBuffers() else { throw ErrorQueue.error(operation) }
      SSL_set_connect_state(ssl)
      SSL_set_msg_callback(ssl, Self.observeMessage)
      _ = SSL_ctrl(ssl, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, Unmanaged.passUnretained(self).toOpaque())
      guard configuration.apply(to: ssl) else { throw ErrorQueue.error(operation) }
      if let identity = configuration.clientIdentity { try identity.apply(to: ssl) }
    }

    var summary: HandshakeSummary? { observer.summary }

    func receive(_ ciphertext: ArraySlice<UInt8>) {
      preamble.receive(ciphertext)
      handle.feed(ciphertext)
    }

    func receiveEnd() { hasEnded = true }

    func takeOutput() -> [UInt8] { handle.drain() }

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
