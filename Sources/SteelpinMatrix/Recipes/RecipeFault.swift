// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Something wrong with the encoding or the signature of anything that is signed: a certificate, a request, a
/// revocation list, an OCSP response.
///
/// Changes of the signed part are made in their order, then it is signed, then changes of the whole are made in theirs.
@nonexhaustive
public enum RecipeFault: Sendable {
  /// Bytes after the end.
  case append([UInt8])
  /// The last bit of the signature is inverted.
  case flipSignatureBit
  /// The algorithm inside the signed part is another than the one that signed.
  case innerAlgorithm(SignatureAlgorithm)
  /// The algorithm outside the signed part is another than the one that signed.
  case outerAlgorithm(SignatureAlgorithm)
  /// A change of the whole, of which the signature knows nothing.
  case patch(DERPatch)
  /// A change of the signed part before it is signed, so that the signature is right.
  case patchSigned(DERPatch)
  /// Any change of all bytes.
  case rewrite(@Sendable ([UInt8]) -> [UInt8])
  /// Any change of the signed part's bytes before they are signed.
  case rewriteSigned(@Sendable ([UInt8]) -> [UInt8])
  /// Other octets in the place of the signature.
  case signature([UInt8])
}

/// Signs with one key in one way, with the faults of a recipe.
struct RecipeSigner {
  private let key: any PrivateKey
  private let algorithm: SignatureAlgorithm
  private let faults: [RecipeFault]

  /// A signer; without an algorithm it uses the usual one of the key.
  init(_ key: any PrivateKey, _ algorithm: SignatureAlgorithm?, _ faults: [RecipeFault]) throws(RecipeError) {
    self.key = key
    self.faults = faults
    if let algorithm {
      self.algorithm = algorithm
    } else {
      let info: PublicKeyInfo
      do { info = try PublicKeyInfo(der: key.publicKeyInfo) } catch {
        throw .invalidValue(field: "key", reason: "the library's SubjectPublicKeyInfo is malformed, \(error)")
      }
      guard let usual = SignatureAlgorithm(usualFor: info.kind) else { throw .noUsualAlgorithm(info.kind) }
      self.algorithm = usual
    }
  }

  /// The AlgorithmIdentifier inside the signed part, DER.
  var innerAlgorithm: [UInt8] {
    for case .innerAlgorithm(let other) in faults { return other.identifier }
    return algorithm.identifier
  }

  /// The sequence of the signed part, the algorithm, the signature, and what may follow them.
  func sign(_ content: [UInt8], followedBy rest: [UInt8] = []) throws(RecipeError) -> [UInt8] {
    var (content, outer) = (content, algorithm.identifier)
    for fault in faults {
      switch fault {
      case .outerAlgorithm(let other): outer = other.identifier
      case .patchSigned(let patch): content = try patch.applied(to: content)
      case .rewriteSigned(let change): content = change(content)
      case .append, .flipSignatureBit, .innerAlgorithm, .patch, .rewrite, .signature: break
      }
    }
    var signature: [UInt8]
    do { signature = try key.sign(content, algorithm) } catch { throw .backend(error) }
    for fault in faults {
      switch fault {
      case .flipSignatureBit: if !signature.isEmpty { signature[signature.count - 1] ^= 1 }
      case .signature(let octets): signature = octets
      case .append, .innerAlgorithm, .outerAlgorithm, .patch, .patchSigned, .rewrite, .rewriteSigned: break
      }
    }
    return DER.sequence(content, outer, DER.bitString(signature), rest)
  }

  /// The whole with the faults of the whole.
  func finish(_ whole: [UInt8]) throws(RecipeError) -> [UInt8] {
    var whole = whole
    for fault in faults {
      switch fault {
      case .append(let bytes): whole += bytes
      case .patch(let patch): whole = try patch.applied(to: whole)
      case .rewrite(let change): whole = change(whole)
      case .flipSignatureBit, .innerAlgorithm, .outerAlgorithm, .patchSigned, .rewriteSigned, .signature: break
      }
    }
    return whole
  }
}
