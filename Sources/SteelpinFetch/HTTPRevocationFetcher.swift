// SPDX-License-Identifier: Apache-2.0
private import CCURLShims
public import Steelpin

/// Fetches OCSP responses and revocation lists over HTTP by libcurl, which is loaded with the first request.
///
/// Only `http` and `https` URLs are fetched, lists with up to five redirects that never leave `https`. Answers are kept
/// for a while, failures too, so that all who judge a chain see the same; a new fetcher knows nothing. Proxies are those
/// of the environment, as libcurl has them.
public final class HTTPRevocationFetcher: RevocationFetcher {
  private struct Known {
    let result: Result<[UInt8], RevocationFetchError>
    let end: ContinuousClock.Instant
  }

  private let timeout: Duration
  private let maximumOctets: Int
  private let keeping: Duration
  private let known = Locked<[RevocationRequest: Known]>([:])

  /// Answers that are kept at most.
  private static let capacity = 64
  /// An OCSP response carries a few certificates at most.
  private static let maximumResponseOctets = 256 << 10

  /// A fetcher that gives each request so much time, from looking up the name to the last octet, takes so many octets
  /// of a list, and keeps answers so long.
  public init(
    timeout: Duration = .seconds(5), maximumOctets: Int = 32 << 20, keeping: Duration = .seconds(300)
  ) {
    self.timeout = timeout
    self.maximumOctets = maximumOctets
    self.keeping = keeping
  }

  /// Fetches the body of an answer with HTTP status 200.
  public func fetch(_ request: RevocationRequest) throws(RevocationFetchError) -> [UInt8] {
    let now = ContinuousClock.now
    if let answer = known.withLock({ $0[request] }), now < answer.end { return try answer.result.get() }
    let result = send(request)
    known.withLock { known in
      known = known.filter { now < $0.value.end }
      if known.count >= Self.capacity { known = [:] }
      known[request] = Known(result: result, end: .now + keeping)
    }
    return try result.get()
  }

  private func send(_ request: RevocationRequest) -> Result<[UInt8], RevocationFetchError> {
    // libcurl reads a URL up to the first NUL.
    guard !request.url.utf8.contains(0) else { return .failure(RevocationFetchError("the URL holds a NUL octet")) }
    var answer = ccurl_answer()
    let isAnswered = request.url.withCString { url in
      var question = ccurl_request()
      question.url = url
      question.timeout = max(1, timeout.milliseconds)
      switch request {
      case .list:
        question.limit = max(0, maximumOctets)
        question.redirects = 5
        return ccurl_fetch(&question, &answer) == 1
      case .ocsp(_, let body):
        question.limit = min(max(0, maximumOctets), Self.maximumResponseOctets)
        return "application/ocsp-request".withCString { type in
          body.withUnsafeBufferPointer { body in
            question.content_type = type
            question.body = body.baseAddress
            question.body_length = body.count
            return ccurl_fetch(&question, &answer) == 1
          }
        }
      }
    }
    defer { ccurl_free(answer.body) }
    guard isAnswered else {
      let error = withUnsafeBytes(of: answer.error) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return .failure(RevocationFetchError(error))
    }
    guard answer.status == 200 else {
      return .failure(RevocationFetchError("the server answered with HTTP status \(answer.status)"))
    }
    return .success(Array(UnsafeBufferPointer(start: answer.body, count: answer.length)))
  }
}

extension Duration {
  /// Whole milliseconds, those that do not fit clamped.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (product, overflow) = Int(clamping: seconds).multipliedReportingOverflow(by: 1000)
    return overflow ? Int(Int32.max) : min(Int(Int32.max), product + Int(attoseconds / 1_000_000_000_000_000))
  }
}
