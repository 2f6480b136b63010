// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL

  /// What came of SSL_read.
  enum SSLReadOutcome {
    /// The peer sent close_notify.
    case closed
    case data([UInt8])
    case failed
    case wantsInput
  }

  /// A connection of libssl over two memory buffers, in either role.
  extension Handle where Kind == SSLKind {
    /// Gives the connection its buffers; false if there is no memory.
    borrowing func attachBuffers() -> Bool {
      guard let input = Handle<BIOKind>(adopting: BIO_new(BIO_s_mem())),
        let output = Handle<BIOKind>(adopting: BIO_new(BIO_s_mem()))
      else { return false }
      SSL_set_bio(pointer, input.take(), output.take())
      return true
    }

    /// Takes bytes of the peer.
    borrowing func feed(_ ciphertext: ArraySlice<UInt8>) {
      ciphertext.withUnsafeBufferPointer { buffer in
        _ = BIO_write(SSL_get_rbio(pointer), buffer.baseAddress, CInt(clamping: buffer.count))
      }
    }

    /// The bytes for the peer.
    borrowing func drain() -> [UInt8] {
      let output = SSL_get_wbio(pointer)
      let count = BIO_ctrl_pending(output)
      guard count > 0 else { return [] }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = max(0, Int(BIO_read(output, buffer.baseAddress, CInt(clamping: count))))
      }
    }

    /// Reads application data; after a failure the queue of errors says why.
    borrowing func read(atMost count: Int) -> SSLReadOutcome {
      ErrorQueue.clear()
      var result: CInt = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, initialized in
        result = SSL_read(pointer, buffer.baseAddress, CInt(clamping: buffer.count))
        initialized = max(0, Int(result))
      }
      if result > 0 { return .data(bytes) }
      switch SSL_get_error(pointer, result) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsInput
      case SSL_ERROR_ZERO_RETURN: return .closed
      default: return .failed
      }
    }

    /// Encrypts application data; false after a failure, of which the queue of errors says why.
    borrowing func write(_ plaintext: ArraySlice<UInt8>) -> Bool {
      guard !plaintext.isEmpty else { return true }
      ErrorQueue.clear()
      let written = plaintext.withUnsafeBufferPointer { buffer in
        SSL_write(pointer, buffer.baseAddress, CInt(clamping: buffer.count))
      }
      return Int(written) == plaintext.count
    }

    /// Queues close_notify.
    borrowing func shutDown() {
      ErrorQueue.clear()
      _ = SSL_shutdown(pointer)
      ErrorQueue.clear()
    }
  }
#endif
