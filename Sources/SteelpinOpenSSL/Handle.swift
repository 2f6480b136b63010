// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL

  /// Sole owner of one object of libcrypto or libssl; frees it on every way out.
  ///
  /// Every C type is an OpaquePointer in Swift, so `Kind` is the only type check there is.
  struct Handle<Kind: HandleKind>: ~Copyable {
    /// The object, for the duration of a call; never stored.
    let pointer: OpaquePointer

    /// Takes ownership of what a C function returned; nil if it returned NULL.
    init?(adopting pointer: OpaquePointer?) {
      guard let pointer else { return nil }
      self.pointer = pointer
    }

    deinit { Kind.free(pointer) }

    /// Gives ownership to a C function that takes it.
    consuming func take() -> OpaquePointer {
      let pointer = pointer
      discard self
      return pointer
    }
  }

  /// How objects of one C type are freed.
  protocol HandleKind {
    static func free(_ pointer: OpaquePointer)
  }

  enum BIOKind: HandleKind { static func free(_ pointer: OpaquePointer) { BIO_free_all(pointer) } }
  enum EVPKeyKind: HandleKind { static func free(_ pointer: OpaquePointer) { EVP_PKEY_free(pointer) } }
  enum X509Kind: HandleKind { static func free(_ pointer: OpaquePointer) { X509_free(pointer) } }
#endif
