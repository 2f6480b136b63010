// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking
internal import Steelpin

/// One request of a caller: the hops that it takes through redirects and challenges. All state belongs to the engine's
/// thread; the functions for other threads are marked.
final class Load: @unchecked Sendable {
  let client: PinnedClient
  let settings: LoadSettings
  private(set) var events: (any LoadEvents)?
  var request: URLRequest
  var body: RequestBody
  /// Whether a stream has to be asked for before the body can be sent.
  var needsStream: Bool
  var hop: Hop?
  var url: RequestURL?
  var credential: UsedCredential?
  var challenges = 0
  private(set) var redirects = 0
  private var isAdapted = false
  private var deadline = ContinuousClock.now
  private var isSuspended = false

  /// What the load waits for.
  private var isDeciding = false
  private var endWhileDeciding: Result<Void, HopFailure>?
  /// What comes after the hop whose rest is discarded.
  private var nextRequest: URLRequest?
  private var head: ResponseHead?

  private var received: Int64 = 0
  private var outstanding = 0
  private var sent: Int64 = 0
  /// The octets that may wait for the caller.
  private static let window = 1 << 20

  /// A credential that the server accepted or is about to see.
  struct UsedCredential {
    var credential: URLCredential
    var space: URLProtectionSpace
    var origin: RequestURL
    var isDigest: Bool
  }

  init(
    client: PinnedClient, settings: LoadSettings, request: URLRequest, body: RequestBody?, asksForStream: Bool = false,
    events: any LoadEvents
  ) {
    self.client = client
    self.settings = settings
    self.request = request
    self.body = body ?? .none
    self.needsStream = asksForStream
    self.events = events
  }

  // MARK: for any thread

  func start() {
    client.engine.perform { access in
      self.deadline = .now + .seconds(min(max(0, self.settings.resourceTimeout), 1e9))
      self.begin(access)
    }
  }

  func cancel() {
    client.engine.perform { access in self.fail(.url(.cancelled, "the request was cancelled"), access) }
  }

  func setSuspended(_ value: Bool) {
    client.engine.perform { _ in
      self.isSuspended = value
      self.hop?.setSuspended(value)
    }
  }

  /// The caller has dealt with so many octets.
  func dealtWith(_ count: Int) {
    client.engine.perform { _ in
      let wasFull = self.outstanding >= Self.window
      self.outstanding -= count
      if wasFull, self.outstanding < Self.window, !self.isDeciding { self.hop?.proceed(.receive) }
    }
  }

  // MARK: hops

  /// Sends the request as it is now.
  func begin(fresh: Bool = false, _ access: borrowing EngineAccess) {
    guard let events else { return }
    do {
      if !isAdapted {
        isAdapted = true
        for adapter in client.options.adapters { request = try adapter.adapt(request) }
      }
      if case .none = body, !needsStream {
        if let data = request.httpBody {
          body = .data(data)
        } else if let stream = request.httpBodyStream {
          body = .stream(stream)
        }
      }
      guard !needsStream else { return askForStream() }
      let hopRequest = try hopRequest(fresh: fresh, deadline: deadline)
      let weak = WeakLoad(load: self)
      let engine = client.engine
      let reader = try BodyReader(body) { engine.perform { _ in weak.load?.hop?.wake() } }
      if case .stream = body { needsStream = true }
      let hop = Hop(hopRequest, body: reader, owner: self)
      self.hop = hop
      url = hopRequest.url
      sent = 0
      head = nil
      events.began(request)
      access.start(hop)
      if isSuspended { hop.setSuspended(true) }
    } catch let error as LoadError {
      fail(error, access)
    } catch {
      fail(.other(error), access)
    }
  }

  private struct WeakLoad: Sendable { weak var load: Load? }

  private func askForStream() {
    events?.needsStream { stream in
      let body = stream.map(RequestBody.stream)
      self.client.engine.perform { access in
        guard let body else {
          return self.fail(.url(.requestBodyStreamExhausted, "there is no stream to send the body from"), access)
        }
        self.body = body
        self.needsStream = false
        self.begin(access)
      }
    }
  }

  /// Ends the load; what is still under way is given up.
  func fail(_ error: LoadError, _ access: borrowing EngineAccess) {
    guard let events else { return }
    self.events = nil
    if let hop { access.remove(hop) }
    hop = nil
    switch error {
    case .other(let error): events.ended(error)
    case .pinning(let failure):
      client.options.onFailure?(failure)
      events.ended(URLError(failure))
    case .url(let code, let text): events.ended(URLError(code, text, url: request.url))
    }
  }

  private func complete() {
    guard let events else { return }
    self.events = nil
    if let credential, credential.credential.persistence != .none {
      settings.credentials?.set(credential.credential, for: credential.space)
    }
    events.ended(nil)
  }
}

/// Why a load ends without success.
enum LoadError: Error {
  case other(any Error)
  case pinning(PinningFailure)
  case url(URLError.Code, String)
}

extension Load: HopOwner {
  func hop(_ hop: Hop, received head: ResponseHead) -> Hop.Receiving {
    guard let events, let target = request.url, let response = head.response(url: target) else {
      return .stop(.other(.badServerResponse, "the status of the response is none"))
    }
    self.head = head
    storeCookies(head, url: target)
    if let next = redirect(head, from: target) {
      redirects += 1
      guard redirects <= client.options.maximumRedirects else {
        return .stop(.other(.httpTooManyRedirects, "there were more than \(client.options.maximumRedirects) redirects"))
      }
      isDeciding = true
      events.willRedirect(response, to: next) { request in
        self.client.engine.perform { access in
          if let request { self.goOn(with: request, access) } else { self.deliver(response, access) }
        }
      }
      return .pause
    }
    if let asked = challenge(head, response) {
      isDeciding = true
      challenges += 1
      events.received(asked) { disposition, credential in
        self.client.engine.perform { access in
          self.answer(asked, disposition, credential, response, access)
        }
      }
      return .pause
    }
    guard let disposition = ask(about: response) else {
      isDeciding = true
      return .pause
    }
    return disposition == .cancel ? .stop(.other(.cancelled, "the response was not wanted")) : .receive
  }

  private func ask(about response: HTTPURLResponse) -> URLSession.ResponseDisposition? {
    events?.received(response) { disposition in
      self.client.engine.perform { access in self.take(disposition, access) }
    }
  }

  private func take(_ disposition: URLSession.ResponseDisposition, _ access: borrowing EngineAccess) {
    if case .cancel = disposition { return fail(.url(.cancelled, "the response was not wanted"), access) }
    decided(access) { $0.proceed(.receive) }
  }

  /// Hands out a response that could have led further.
  func deliver(_ response: HTTPURLResponse, _ access: borrowing EngineAccess) {
    if let disposition = ask(about: response) { take(disposition, access) }
  }

  /// Follows with another request when what is left of the hop is done.
  func goOn(with next: URLRequest, _ access: borrowing EngineAccess) {
    nextRequest = next
    decided(access) { $0.proceed(.discard) }
  }

  private func decided(_ access: borrowing EngineAccess, _ go: (Hop) -> Void) {
    guard events != nil, isDeciding else { return }
    isDeciding = false
    if let end = endWhileDeciding {
      endWhileDeciding = nil
      finish(end, access)
    } else if let hop {
      go(hop)
    }
  }

  func hop(_ hop: Hop, received data: Data) -> Hop.Receiving {
    guard let events else { return .stop(.other(.cancelled, "the request was cancelled")) }
    received += Int64(data.count)
    guard received <= client.options.maximumBodySize else {
      return .stop(
        .other(
          .dataLengthExceedsMaximum, "the body is longer than \(client.options.maximumBodySize) octets"))
    }
    if !events.received(data) { outstanding += data.count }
    return outstanding < Self.window ? .receive : .pause
  }

  func hop(_ hop: Hop, sent count: Int) {
    sent += Int64(count)
    events?.sent(Int64(count), total: sent, expected: hop.bodyLength)
  }

  func hop(_ hop: Hop, ended outcome: Result<Void, HopFailure>, _ access: borrowing EngineAccess) {
    self.hop = nil
    if isDeciding { endWhileDeciding = outcome } else { finish(outcome, access) }
  }

  private func finish(_ outcome: Result<Void, HopFailure>, _ access: borrowing EngineAccess) {
    if let next = nextRequest {
      nextRequest = nil
      if let data = next.httpBody {
        body = .data(data)
      } else if next.httpMethod != request.httpMethod {
        // A redirect that turns a method into GET leaves the body out.
        body = .none
        needsStream = false
      }
      request = next
      return begin(access)
    }
    do throws(HopFailure) {
      try outcome.get()
      complete()
    } catch {
      switch error {
      case .outdated:
        // Nothing was sent, so a stream is as it was.
        needsStream = false
        begin(fresh: true, access)
      case .tableChanged:
        needsStream = false
        begin(access)
      case .other(let code, let text): fail(.url(code, text), access)
      case .pinning(let reason):
        guard let host = url?.host, let target = request.url else {
          return fail(.url(.secureConnectionFailed, "the connection was refused"), access)
        }
        fail(.pinning(PinningFailure(url: target, host: host, reason: reason)), access)
      }
    }
  }
}
