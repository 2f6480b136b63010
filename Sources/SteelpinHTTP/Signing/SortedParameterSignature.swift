// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import FoundationNetworking

/// Signs a request by a digest over its sorted header fields and parameters and a secret that the server has, too.
///
/// What is signed is the text that ``canonicalText(of:)`` gives. The signature is written in upper-case hexadecimal
/// digits into a header field. It proves neither freshness nor the rest of the body: put a time and a random value among
/// the parameters, and send parameters as a query or as a form.
public struct SortedParameterSignature: RequestAdapter {
  /// How text and secret become a signature.
  @nonexhaustive
  public enum Algorithm: String, Sendable, Hashable, CaseIterable {
    /// HMAC-SHA-256 of the text, keyed with the secret (RFC 2104).
    case hmacSHA256 = "hmac-sha-256"
    /// MD5 of the text followed by the secret: for servers that know nothing else. MD5 is broken, and a digest of text
    /// and secret in a row is a weak proof even where the digest is good.
    case md5
  }

  /// How text and secret become a signature.
  public var algorithm: Algorithm
  /// The header field that gets the signature.
  public var field: String
  /// The header fields that are signed with the parameters; one that a request does not have is left out.
  public var signedFields: Set<String>
  private let secret: [UInt8]

  /// A signature with a secret; by default HMAC-SHA-256 over the parameters alone, in the field `X-Signature`.
  public init(
    secret: [UInt8], algorithm: Algorithm = .hmacSHA256, field: String = "X-Signature", signedFields: Set<String> = []
  ) {
    self.secret = secret
    self.algorithm = algorithm
    self.field = field
    self.signedFields = signedFields
  }

  /// The request with its signature. Throws ``SigningError``.
  public func adapt(_ request: URLRequest) throws -> URLRequest {
    var signed = request
    signed.setValue(try signature(of: request), forHTTPHeaderField: field)
    return signed
  }

  /// The signature of a request in upper-case hexadecimal digits.
  public func signature(of request: URLRequest) throws(SigningError) -> String {
    let text = Array(canonicalText(of: request).utf8)
    let digest =
      switch algorithm {
      case .hmacSHA256: MessageDigest.hmac("SHA256", key: secret, of: text)
      case .md5: MessageDigest.digest("MD5", of: text + secret)
      }
    guard let digest else { throw SigningError(algorithm: algorithm) }
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  /// What is signed: `name=value` of the signed fields, whose names become lower case, of the query and of a form in the
  /// body, each percent-encoded but for the unreserved octets of RFC 3986, sorted by octets and joined by `&`.
  public func canonicalText(of request: URLRequest) -> String {
    var pairs: [String] = []
    for name in signedFields {
      if let value = request.value(forHTTPHeaderField: name) {
        pairs.append(Self.pair(name.lowercased(), value.trimmingCharacters(in: .whitespaces)))
      }
    }
    let query = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }?.queryItems ?? []
    pairs += query.map { Self.pair($0.name, $0.value ?? "") }
    pairs += Self.form(of: request)
    return pairs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "&")
  }

  /// The pairs of a form (`application/x-www-form-urlencoded` of the URL standard), which a body without type is.
  private static func form(of request: URLRequest) -> [String] {
    let type = request.value(forHTTPHeaderField: "Content-Type")?.lowercased() ?? "application/x-www-form-urlencoded"
    guard type.hasPrefix("application/x-www-form-urlencoded"), let body = request.httpBody else { return [] }
    return body.split(separator: UInt8(ascii: "&")).map { part in
      let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return pair(decode(halves[0]), halves.count > 1 ? decode(halves[1]) : "")
    }
  }

  private static func decode(_ octets: some Collection<UInt8>) -> String {
    let text = String(decoding: octets.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
    return text.removingPercentEncoding ?? text
  }

  private static func pair(_ name: String, _ value: String) -> String { encode(name) + "=" + encode(value) }

  private static func encode(_ text: String) -> String {
    text.utf8.map { octet in
      switch octet {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(octet))
      default: "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

/// The library has no such digest, so that the request cannot be signed.
public struct SigningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was asked for.
  public let algorithm: SortedParameterSignature.Algorithm

  /// What is missing.
  public var description: String { "the library offers no \(algorithm.rawValue), so the request is not signed" }
}
