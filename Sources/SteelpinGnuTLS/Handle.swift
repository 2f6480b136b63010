// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS

  /// Sole owner of one object of GnuTLS; frees it on every way out.
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

    /// Makes a new object with one of GnuTLS's `gnutls_…_init` functions; nil if that failed.
    init?(_ create: (inout OpaquePointer?) -> CInt) {
      var pointer: OpaquePointer?
      guard create(&pointer) == GNUTLS_E_SUCCESS else { return nil }
      self.init(adopting: pointer)
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

  enum CertificateKind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_x509_crt_deinit(pointer) } }
  enum PublicKeyKind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_pubkey_deinit(pointer) } }
#endif
