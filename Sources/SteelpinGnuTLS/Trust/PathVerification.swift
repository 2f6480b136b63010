// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Steelpin

  /// Hands one exact path to gnutls_x509_crt_list_verify, which, unlike a trust list, sorts and shortens nothing.
  struct PathVerification {
    private let decoded: GnuTLSObjects

    init(_ decoded: GnuTLSObjects) { self.decoded = decoded }

    func prove(_ path: [Certificate]) throws(BackendError) -> PathProof {
      let objects: [DecodedCertificate]
      do throws(DecodingRefusal) { objects = try decoded.certificates(path) } catch { return .refused(error.codes) }
      // A leaf that is itself an anchor carries no signature that matters.
      guard objects.count > 1 else { return objects.isEmpty ? .refused([]) : .proved }
      return try verify(objects)
    }

    /// What the library says of a certificate that it cannot decode; nil if it decodes all.
    func refusalToDecode(_ path: [Certificate]) -> PathProof? {
      do throws(DecodingRefusal) { _ = try decoded.certificates(path) } catch { return .refused(error.codes) }
      return nil
    }

    private func verify(_ path: [DecodedCertificate]) throws(BackendError) -> PathProof {
      var status: UInt32 = 0
      // The array is borrowed by the call; `path` keeps the objects alive until after it.
      let pointers: [OpaquePointer?] = path.map { $0.withPointer { $0 } }
      let code = withExtendedLifetime(path) {
        pointers.dropLast().withUnsafeBufferPointer { chain in
          pointers.suffix(1).withUnsafeBufferPointer { anchor in
            gnutls_x509_crt_list_verify(
              chain.baseAddress, UInt32(clamping: chain.count), anchor.baseAddress, 1, nil, 0, VerifyFlags.exactPath,
              &status)
          }
        }
      }
      guard code >= 0 else { throw BackendError(gnutls: code, "verify a path") }
      return status == 0 ? .proved : .refused(NativeCode.status(status))
    }
  }

  /// The paths about which GnuTLS as a whole is wrong, so that it proves them link by link and our rules decide the rest.
  enum LinkedPath {
    /// Whether a path has one of the properties that the library misjudges.
    static func isLeftToLinks(_ path: [Certificate]) -> Bool {
      path.contains(where: hasUnknownCritical) || path.inheritsParameters
        || path.dropFirst().contains(where: hasNameConstraints) || path.hasSelfIssuedIntermediate
        || path.hasNamesOfSeveralSpellings || path.dropLast().contains(where: \.signatureAlgorithm.hasUnusualSalt)
    }

    /// It knows no policy mappings and constraints, which must be critical (RFC 5280 4.2.1.5, 4.2.1.11, 4.2.1.14). Our
    /// rules refuse every critical extension that they do not process.
    private static func hasUnknownCritical(_ certificate: Certificate) -> Bool {
      certificate.extensions.contains { $0.isCritical && !known.contains($0.identifier) }
    }

    private static let known: Set<OID> = [
      .basicConstraints, .certificatePolicies, .extendedKeyUsage, .keyUsage, .nameConstraints, .subjectAlternativeName,
    ]

    /// It refuses legal constraints (on a kind of name that no certificate below has, say), RFC 5280 4.2.1.10.
    private static func hasNameConstraints(_ certificate: Certificate) -> Bool {
      certificate.extensions.contains { $0.identifier == .nameConstraints }
    }
  }

  extension NativeCode {
    /// The flags of a status of certificate verification.
    fileprivate static func status(_ status: UInt32) -> [NativeCode] {
      let known: [(gnutls_certificate_status_t, String, String)] = [
        (GNUTLS_CERT_SIGNATURE_FAILURE, "GNUTLS_CERT_SIGNATURE_FAILURE", "the signature verification failed"),
        (GNUTLS_CERT_SIGNER_NOT_FOUND, "GNUTLS_CERT_SIGNER_NOT_FOUND", "the issuer is not known"),
        (GNUTLS_CERT_SIGNER_NOT_CA, "GNUTLS_CERT_SIGNER_NOT_CA", "the signer is not a CA"),
        (
          GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE, "GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE",
          "the signer's constraints were violated"
        ),
        (GNUTLS_CERT_INSECURE_ALGORITHM, "GNUTLS_CERT_INSECURE_ALGORITHM", "an insecure algorithm was used"),
        (
          GNUTLS_CERT_UNKNOWN_CRIT_EXTENSIONS, "GNUTLS_CERT_UNKNOWN_CRIT_EXTENSIONS",
          "a critical extension is not supported"
        ),
        (GNUTLS_CERT_PURPOSE_MISMATCH, "GNUTLS_CERT_PURPOSE_MISMATCH", "the purpose does not match"),
        (GNUTLS_CERT_INVALID, "GNUTLS_CERT_INVALID", "the certificate is not trusted"),
      ]
      return known.filter { status & $0.0.rawValue != 0 }.map { flag, name, message in
        NativeCode(library: "gnutls", code: name, message: message)
      }
    }
  }
#endif
