// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  internal import Steelpin

  /// Hands one exact path to X509_verify_cert (openssl-verification-options(1)).
  struct PathVerification {
    private let decoded: OpenSSLObjects

    init(_ decoded: OpenSSLObjects) { self.decoded = decoded }

    /// What the library says of a path; nil if it found another way to the anchor than the one it was asked about.
    func prove(_ path: [Certificate]) throws(BackendError) -> PathProof? {
      ErrorQueue.clear()
      let objects: [DecodedCertificate]
      do throws(DecodingRefusal) { objects = try decoded.certificates(path) } catch { return .refused(error.codes) }
      guard let leaf = objects.first, let anchor = objects.last else { return .refused([]) }
      return try withExtendedLifetime(objects) { () throws(BackendError) -> PathProof? in
        try verify(leaf, anchor, objects)
      }
    }

    private func verify(
      _ leaf: DecodedCertificate, _ anchor: DecodedCertificate, _ path: [DecodedCertificate]
    ) throws(BackendError) -> PathProof? {
      let operation = "set up the verification of a path"
      guard let trusted = Handle<X509StackKind>(adopting: cossl_x509_stack_new()),
        let untrusted = Handle<X509StackKind>(adopting: cossl_x509_stack_new()),
        let context = Handle<StoreContextKind>(adopting: X509_STORE_CTX_new_ex(cossl_verification_context(), nil)),
        anchor.withPointer({ cossl_x509_stack_push(trusted.pointer, $0) }) > 0
      else { throw ErrorQueue.error(operation) }
      for issuer in path.dropFirst().dropLast() {
        guard issuer.withPointer({ cossl_x509_stack_push(untrusted.pointer, $0) }) > 0 else {
          throw ErrorQueue.error(operation)
        }
      }
      guard leaf.withPointer({ X509_STORE_CTX_init(context.pointer, nil, $0, untrusted.pointer) }) > 0,
        let parameters = X509_STORE_CTX_get0_param(context.pointer)
      else { throw ErrorQueue.error(operation) }
      X509_STORE_CTX_set0_trusted_stack(context.pointer, trusted.pointer)
      // Dates are judged by our rules with the evaluation's clock, and strength by our profiles: level 0 refuses no key
      // or digest, whatever the distribution's default is.
      X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME))
      X509_VERIFY_PARAM_set_auth_level(parameters, 0)
      // Else a common name is taken for a host under name constraints, which RFC 5280 4.2.1.10 does not say.
      X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
      X509_VERIFY_PARAM_set_depth(parameters, CInt(clamping: path.count))
      let isProved = X509_verify_cert(context.pointer) == 1
      // Certificates of one name may let the library find another way to the anchor than the one it was asked about.
      guard let chain = X509_STORE_CTX_get0_chain(context.pointer), follows(path, chain),
        !isProved || cossl_x509_stack_count(chain) == path.count
      else { return nil }
      return isProved
        ? .proved : .refused([NativeCode(x509: X509_STORE_CTX_get_error(context.pointer))] + ErrorQueue.drain())
    }

    /// Whether the chain that the library built is the path as far as it goes.
    private func follows(_ path: [DecodedCertificate], _ chain: OpaquePointer) -> Bool {
      let count = Int(cossl_x509_stack_count(chain))
      guard count <= path.count else { return false }
      return path.prefix(count).enumerated().allSatisfy { depth, certificate in
        certificate.withPointer { X509_cmp($0, cossl_x509_stack_value(chain, CInt(depth))) == 0 }
      }
    }
  }

  extension NativeCode {
    /// A verification error of X509_STORE_CTX_get_error(3).
    fileprivate init(x509 error: CInt) {
      let message = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) } ?? ""
      self.init(library: "openssl", code: "X509_V_ERR \(error)", message: message)
    }
  }

  enum X509StackKind: HandleKind { static func free(_ pointer: OpaquePointer) { cossl_x509_stack_free(pointer) } }
  enum StoreContextKind: HandleKind { static func free(_ pointer: OpaquePointer) { X509_STORE_CTX_free(pointer) } }
#endif
