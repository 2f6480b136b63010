// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import FoundationNetworking
internal import Steelpin

/// A URLProtocol that carries requests through a ``PinnedClient``, for sessions that others make: set the class that
/// ``PinningRegistration`` gives as the only one of `protocolClasses`.
///
/// URLSession on Linux is told less by a URLProtocol than by its own loading. Redirects are followed without asking the
/// delegate, a response with status 401 comes without its field `WWW-Authenticate`, since URLSession would go on without
/// pins, bodies come as one piece, and download tasks fail. ``PinnedURLSession`` has none of these limits.
public class PinnedURLProtocol: URLProtocol {
  class var slot: ProtocolSlot? { nil }

  private let current = Locked<Load?>(nil)

  /// All requests, whatever their scheme: nothing may go another way.
  public override class func canInit(with request: URLRequest) -> Bool { true }

  /// The request itself.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Whether both are equal.
  public override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a == b }

  /// Begins to load the request.
  public override func startLoading() {
    guard let slot = Self.slot else {
      return fail(URLError(.cannotConnectToHost, "the pinned client of this session is gone", url: request.url))
    }
    guard !(task is URLSessionDownloadTask) else {
      return fail(URLError(.unsupportedURL, "only a PinnedURLSession can download", url: request.url))
    }
    let load = Load(
      client: slot.client, settings: slot.settings, request: request, body: nil, events: ProtocolEvents(self))
    let isFirst = current.withLock { current in
      defer { current = current ?? load }
      return current == nil
    }
    // A task that was suspended goes on.
    if isFirst { load.start() } else { current.withLock { $0 }?.setSuspended(false) }
  }

  /// Stops, for good or until the task is resumed.
  public override func stopLoading() {
    guard let load = current.withLock({ $0 }) else { return }
    if task?.state == .suspended { load.setSuspended(true) } else { load.cancel() }
  }

  fileprivate func fail(_ error: any Error) {
    client?.urlProtocol(self, didFailWithError: error)
  }
}

/// A class of URLProtocol for a client. Keep it as long as sessions use the class.
public final class PinningRegistration: Sendable {
  private let slot: ProtocolSlot

  /// A class for a client; cookies, time limits, proxy and fields are those of the configuration.
  public init(_ client: PinnedClient, configuration: URLSessionConfiguration = .ephemeral) {
    slot = ProtocolSlot(client: client, settings: LoadSettings(configuration))
  }

  /// The class, for `URLSessionConfiguration.protocolClasses`.
  public var protocolClass: PinnedURLProtocol.Type { slot.protocolClass }
}

/// Passes on to URLSession what a load says. It is all on the engine's thread.
private final class ProtocolEvents: LoadEvents, @unchecked Sendable {
  private let target: PinnedURLProtocol
  private var data = Data()
  private var response: HTTPURLResponse?

  init(_ target: PinnedURLProtocol) { self.target = target }

  func began(_ request: URLRequest) {}

  func willRedirect(
    _ response: HTTPURLResponse, to request: URLRequest, decide: @escaping @Sendable (URLRequest?) -> Void
  ) {
    decide(request)
  }

  func received(
    _ challenge: URLAuthenticationChallenge,
    decide: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    decide(.performDefaultHandling, nil)
  }

  func needsStream(decide: @escaping @Sendable (InputStream?) -> Void) { decide(nil) }

  func received(
    _ response: HTTPURLResponse, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition? {
    self.response = response
    return .allow
  }

  func received(_ data: Data) -> Bool {
    self.data.append(data)
    return true
  }

  func sent(_ count: Int64, total: Int64, expected: Int64) {}

  func ended(_ error: (any Error)?) {
    guard error == nil, let response = response.flatMap(Self.harmless) else {
      return target.fail(error ?? URLError(.badServerResponse))
    }
    target.client?.urlProtocol(target, didReceive: response, cacheStoragePolicy: .notAllowed)
    // URLSession keeps only the last piece for a completion handler.
    target.client?.urlProtocol(target, didLoad: data)
    target.client?.urlProtocolDidFinishLoading(target)
  }

  /// The response without what makes URLSession ask for a credential: it would send it by its own loading, which knows
  /// nothing of pins.
  private static func harmless(_ response: HTTPURLResponse) -> HTTPURLResponse? {
    guard response.statusCode == 401, let url = response.url else { return response }
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields where "\(name)".lowercased() != "www-authenticate" {
      fields["\(name)"] = "\(value)"
    }
    return HTTPURLResponse(url: url, statusCode: 401, httpVersion: "HTTP/1.1", headerFields: fields)
  }
}
