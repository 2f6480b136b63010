// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking

/// What a load tells whoever began it, on the engine's thread. Questions are answered by their closure, on any thread
/// and once; until then the load waits.
protocol LoadEvents: AnyObject, Sendable {
  /// A redirect; without a request the response is taken as it is.
  func willRedirect(
    _ response: HTTPURLResponse, to request: URLRequest, decide: @escaping @Sendable (URLRequest?) -> Void)
  /// A server that asks for a user and a password.
  func received(
    _ challenge: URLAuthenticationChallenge,
    decide: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  /// A stream was used up, or none was given yet.
  func needsStream(decide: @escaping @Sendable (InputStream?) -> Void)
  /// The response; the body follows if it is allowed. Nil is answered later, by the closure.
  func received(
    _ response: HTTPURLResponse, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition?
  /// A part of the body. False if it is still to be dealt with, which ``Load/dealtWith(_:)`` then says.
  func received(_ data: Data) -> Bool
  /// Octets of the body that were sent, in all and of how many; -1 if that is not known.
  func sent(_ count: Int64, total: Int64, expected: Int64)
  /// The request that is sent now.
  func began(_ request: URLRequest)
  /// The end, with the error if there is one. Nothing follows.
  func ended(_ error: (any Error)?)
}

/// What a session's configuration says about its loads.
struct LoadSettings: @unchecked Sendable {
  var cookies: HTTPCookieStorage?
  var setsCookies = true
  var additionalFields: [String: String] = [:]
  var requestTimeout: TimeInterval = 60
  var resourceTimeout: TimeInterval = 7 * 24 * 3600
  var credentials: URLCredentialStorage?
  var proxy: ProxySetting?

  init(_ configuration: URLSessionConfiguration) {
    cookies = configuration.httpCookieStorage
    setsCookies = configuration.httpShouldSetCookies
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] { additionalFields["\(name)"] = "\(value)" }
    requestTimeout = configuration.timeoutIntervalForRequest
    resourceTimeout = configuration.timeoutIntervalForResource
    credentials = configuration.urlCredentialStorage
    proxy = configuration.connectionProxyDictionary.map(Self.proxy)
  }

  /// The proxy of a dictionary with the keys of CFNetwork; HTTPS goes before HTTP, and both before SOCKS.
  private static func proxy(_ dictionary: [AnyHashable: Any]) -> ProxySetting {
    func endpoint(_ kind: String) -> (String, UInt16)? {
      if let enabled = dictionary["\(kind)Enable"] as? Int, enabled == 0 { return nil }
      guard let host = dictionary["\(kind)Proxy"] as? String, !host.isEmpty,
        let port = (dictionary["\(kind)Port"] as? Int).flatMap(UInt16.init(exactly:))
      else { return nil }
      return (host, port)
    }
    if let (host, port) = endpoint("HTTPS") ?? endpoint("HTTP") { return .http(host: host, port: port) }
    if let (host, port) = endpoint("SOCKS") { return .socks5(host: host, port: port) }
    return .none
  }
}
