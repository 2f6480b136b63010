// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Steelpin

/// Why a request was given up because of what is demanded of its host. It is the underlying error of the URLError that
/// the caller gets.
public struct PinningFailure: Error, Sendable {
  /// The reasons.
  @nonexhaustive
  public enum Reason: Sendable {
    /// The evaluator could not work.
    case backend(BackendError)
    /// The host's rule is `HostTable.Rule.deny`.
    case denied
    /// The connection had no chain that could be judged, for the reason in words.
    case notJudged(String)
    /// The URL is plain HTTP, which the table does not allow for the host.
    case plainHTTP
    /// The chain was judged, and not trusted.
    case verdict(Verdict)
  }

  /// The URL of the request, or of the redirect that failed.
  public let url: URL
  /// Its host.
  public let host: HostName
  /// Why.
  public let reason: Reason

  /// The verdict; nil if the chain was not judged.
  public var verdict: Verdict? { if case .verdict(let verdict) = reason { verdict } else { nil } }

  /// What a delegate that decides by the same table says to an authentication challenge.
  public var disposition: HostTable.Disposition { .cancel }

  /// The code that URLSession would give.
  public var code: URLError.Code {
    switch reason {
    case .backend, .notJudged: .secureConnectionFailed
    case .denied: .cannotConnectToHost
    case .plainHTTP: .appTransportSecurityRequiresSecureConnection
    case .verdict(let verdict): verdict.urlErrorCode
    }
  }
}

extension PinningFailure: CustomStringConvertible, LocalizedError {
  /// The host and why.
  public var description: String {
    switch reason {
    case .backend(let error): "\(host): \(error)"
    case .denied: "\(host): the policy does not allow connections to this host [\(FindingCode.hostNotAllowed.rawValue)]"
    case .notJudged(let why): "\(host): \(why)"
    case .plainHTTP: "\(host): plain http is not allowed for this host; use https, or list it in plainHTTPHosts"
    case .verdict(let verdict):
      "\(host): " + verdict.errors.map { "\($0.detail) [\($0.code.rawValue)]" }.joined(separator: "; ")
    }
  }

  /// The same.
  public var errorDescription: String? { description }
}

extension URLError {
  /// Why the request was given up, if what is demanded of its host is the reason.
  public var pinningFailure: PinningFailure? { userInfo[NSUnderlyingErrorKey] as? PinningFailure }

  init(_ failure: PinningFailure) {
    self.init(failure.code, failure.description, url: failure.url, underlying: failure)
  }

  init(_ code: Code, _ description: String, url: URL?, underlying: (any Error)? = nil) {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    if let url { info[NSURLErrorFailingURLErrorKey] = url }
    if let underlying { info[NSUnderlyingErrorKey] = underlying }
    self.init(code, userInfo: info)
  }
}

extension Verdict {
  /// The most telling code of URLSession: only a chain whose one fault is its date is said to have a bad date.
  fileprivate var urlErrorCode: URLError.Code {
    let codes = Set(errors.map(\.code))
    if codes == [.expired] { return .serverCertificateHasBadDate }
    if codes == [.notYetValid] { return .serverCertificateNotYetValid }
    let roots: Set<FindingCode> = [
      .anchorsEmpty, .issuerNotFound, .rootNotTrusted, .selfSignedNotTrusted, .systemAnchorsUnavailable,
    ]
    return !codes.isEmpty && codes.isSubset(of: roots) ? .serverCertificateHasUnknownRoot : .serverCertificateUntrusted
  }
}
