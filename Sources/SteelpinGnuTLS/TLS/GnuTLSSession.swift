// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Glibc
  internal import Steelpin

  enum SessionKind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_deinit(pointer) } }

  /// One connection of GnuTLS, whose transport functions read and write buffers of this object.
  final class GnuTLSSession: TLSSession {
    private let handle: Handle<SessionKind>
    /// What the session's credentials point to.
    private let credentials: Credentials
    private var observer = HandshakeObserver()
    private var preamble = RecordPreamble()
    private var input: [UInt8] = []
    private var inputPosition = 0
    private var output: [UInt8] = []
    private var hasEnded = false

    private var session: OpaquePointer { handle.pointer }

    init(_ configuration: TLSClientConfiguration) throws(BackendError) {
      let flags = GNUTLS_CLIENT.rawValue | GNUTLS_NONBLOCK.rawValue | GNUTLS_NO_SIGNAL.rawValue
      guard let handle = Handle<SessionKind>({ gnutls_init(&$0, flags) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, "start a TLS session")
      }
      self.handle = handle
      self.credentials = try Credentials(configuration.clientIdentity)
      let argument = Unmanaged.passUnretained(self).toOpaque()
      gnutls_session_set_ptr(session, argument)
      gnutls_transport_set_ptr(session, argument)
      gnutls_transport_set_push_function(session, Self.push)
      gnutls_transport_set_pull_function(session, Self.pull)
      gnutls_transport_set_pull_timeout_function(session, Self.pullTimeout)
      gnutls_handshake_set_hook_function(session, Self.anyMessage, GNUTLS_HOOK_PRE, Self.observeMessage)
      gnutls_handshake_set_timeout(session, 0)
      gnutls_handshake_set_max_packet_length(session, PathBudget().octets)
      gnutls_dh_set_prime_bits(session, 512)
      try configuration.apply(to: session)
      try credentials.apply(to: session)
    }

    var summary: HandshakeSummary? { observer.summary }

    func receive(_ ciphertext: ArraySlice<UInt8>) {
      preamble.receive(ciphertext)
      if inputPosition == input.count {
        input.removeAll(keepingCapacity: true)
        inputPosition = 0
      }
      input.append(contentsOf: ciphertext)
    }

    func receiveEnd() { hasEnded = true }

    func takeOutput() -> [UInt8] {
      defer { output = [] }
      return output
    }

    func handshake() throws(TLSFailure) -> TLSProgress {
      if let failure = preamble.failure { throw TLSFailure(failure, native: []) }
      while true {
        let position = inputPosition
        let code = gnutls_handshake(session)
        switch code {
        case GNUTLS_E_SUCCESS:
          try checkCertificates()
          return .complete
        case GNUTLS_E_AGAIN, GNUTLS_E_INTERRUPTED:
          // The library may pause before it has taken all that is there; waiting for more would be waiting for nothing.
          if inputPosition > position, inputPosition < input.count { continue }
          if hasEnded { throw TLSFailure(.closedEarly, native: []) }
          return .needsInput
        // A warning; the next call goes on.
        case GNUTLS_E_WARNING_ALERT_RECEIVED: continue
        default: throw failure(code)
        }
      }
    }

    func read(atMost count: Int) throws(TLSFailure) -> TLSReadResult {
      while true {
        let position = inputPosition
        var code = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, initialized in
          code = gnutls_record_recv(session, buffer.baseAddress, buffer.count)
          initialized = max(0, code)
        }
        guard code <= 0 else { return .data(bytes) }
        switch CInt(clamping: code) {
        case 0, GNUTLS_E_PREMATURE_TERMINATION: return .closed
        case GNUTLS_E_AGAIN, GNUTLS_E_INTERRUPTED:
          if inputPosition > position, inputPosition < input.count { continue }
          return hasEnded ? .closed : .needsInput
        // A renegotiation that the server would like is passed over in silence; RFC 5246 section 7.4.1.1 allows it.
        case GNUTLS_E_WARNING_ALERT_RECEIVED, GNUTLS_E_REHANDSHAKE: continue
        default: throw failure(CInt(clamping: code))
        }
      }
    }

    func write(_ plaintext: ArraySlice<UInt8>) throws(TLSFailure) {
      var rest = plaintext
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { gnutls_record_send(session, $0.baseAddress, $0.count) }
        guard written > 0 else { throw failure(CInt(clamping: written)) }
        rest = rest.dropFirst(written)
      }
    }

    func close() { _ = gnutls_bye(session, GNUTLS_SHUT_WR) }

    /// Fails if a certificate cannot be decoded. The library itself looks at the leaf only, and at the others when it is
    /// asked to verify; OpenSSL at all of them during the handshake.
    private func checkCertificates() throws(TLSFailure) {
      for der in observer.summary?.certificates.dropFirst() ?? [] {
        guard let certificate = Handle<CertificateKind>({ gnutls_x509_crt_init(&$0) }) else {
          throw TLSFailure(.engine, native: [NativeCode(gnutls: GNUTLS_E_MEMORY_ERROR)])
        }
        let code = Datum.lend(der) { gnutls_x509_crt_import(certificate.pointer, &$0, GNUTLS_X509_FMT_DER) }
        guard code >= 0 else { throw TLSFailure(.protocolViolation, native: [NativeCode(gnutls: code)]) }
      }
    }

    private func failure(_ code: CInt) -> TLSFailure {
      let native = [NativeCode(gnutls: code)]
      switch code {
      case GNUTLS_E_FATAL_ALERT_RECEIVED:
        let alert = TLSAlert(rawValue: UInt8(truncatingIfNeeded: gnutls_alert_get(session).rawValue))
        return TLSFailure(.received(alert, afterServerHello: observer.sawServerHello), native: native)
      case GNUTLS_E_PREMATURE_TERMINATION, GNUTLS_E_PUSH_ERROR, GNUTLS_E_PULL_ERROR:
        return TLSFailure(.closedEarly, native: native)
      default:
        var level: CInt = 0
        let alert = gnutls_error_to_alert(code, &level)
        guard alert >= 0 else { return TLSFailure(.engine, native: native) }
        return TLSFailure(.sent(TLSAlert(rawValue: UInt8(truncatingIfNeeded: alert))), native: native)
      }
    }
  }

  // MARK: - Callbacks

  extension GnuTLSSession {
    private static func this(_ argument: UnsafeMutableRawPointer?) -> GnuTLSSession? {
      argument.map { Unmanaged<GnuTLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let push: @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> Int = {
      argument, bytes, count in
      guard let session = this(argument) else { return -1 }
      session.output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
      return count
    }

    private static let pull: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> Int = {
      argument, bytes, count in
      guard let session = this(argument), let bytes else { return -1 }
      let available = session.input.count - session.inputPosition
      guard available > 0 else {
        // An end is told by the functions above, so that it means the same wherever in a record it comes.
        gnutls_transport_set_errno(session.session, EAGAIN)
        return -1
      }
      let taken = min(available, count)
      let next = session.input[session.inputPosition..<session.inputPosition + taken]
      UnsafeMutableRawBufferPointer(start: bytes, count: taken).copyBytes(from: next)
      session.inputPosition += taken
      return taken
    }

    /// Tells whether a pull would find something, without waiting.
    private static let pullTimeout: @convention(c) (UnsafeMutableRawPointer?, CUnsignedInt) -> CInt = { argument, _ in
      guard let session = this(argument) else { return -1 }
      return session.inputPosition < session.input.count || session.hasEnded ? 1 : 0
    }

    /// GNUTLS_HANDSHAKE_ANY, a macro that the importer cannot see.
    private static let anyMessage = CUnsignedInt.max

    /// Sees every handshake message before the library parses it, decrypted and without its header.
    private static let observeMessage:
      @convention(c) (OpaquePointer?, CUnsignedInt, CUnsignedInt, CUnsignedInt, UnsafePointer<gnutls_datum_t>?) -> CInt =
        {
          handle, type, _, isIncoming, message in
          guard isIncoming != 0, let message, let session = this(gnutls_session_get_ptr(handle)) else { return 0 }
          let body = Array(UnsafeBufferPointer(start: message.pointee.data, count: Int(message.pointee.size)))
          session.observer.receive(type: UInt8(truncatingIfNeeded: type), body: body[...])
          return 0
        }
  }
#endif
