// SPDX-License-Identifier: Apache-2.0

/// Fetches evidence of revocation. It is called only under a policy whose mode is `.online`, and only with `http` or
/// `https` URLs that a certificate of a proved path names.
///
/// An implementation has to bound the time and the size of an answer, and to give the same answer to the same request
/// for a while: an evaluation of several paths or by several backends asks again.
public protocol RevocationFetcher: Sendable {
  /// Fetches the answer to a request: the body of a successful HTTP response.
  func fetch(_ request: RevocationRequest) throws(RevocationFetchError) -> [UInt8]
}

/// What is asked of a URL.
public enum RevocationRequest: Sendable, Hashable {
  /// The list that is found there, by GET.
  case list(url: String)
  /// The answer to a DER-encoded OCSP request, by POST (RFC 6960 appendix A.1).
  case ocsp(url: String, request: [UInt8])

  /// Where it is sent.
  public var url: String {
    switch self {
    case .list(let url), .ocsp(let url, _): url
    }
  }
}

/// Why nothing was fetched.
public struct RevocationFetchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, in words.
  public let description: String

  /// An error with what went wrong.
  public init(_ description: String) { self.description = description }
}
