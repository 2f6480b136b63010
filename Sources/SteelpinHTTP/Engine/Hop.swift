// SPDX-License-Identifier: Apache-2.0
internal import CHTTPShims
internal import Foundation
internal import Steelpin
private import Synchronization

/// What a hop tells the load that it belongs to. All of it is called on the engine's thread.
protocol HopOwner: AnyObject, Sendable {
  /// The head of the response; the body follows if `.receive` is returned.
  func hop(_ hop: Hop, received head: ResponseHead) -> Hop.Receiving
  /// A part of the body.
  func hop(_ hop: Hop, received data: Data) -> Hop.Receiving
  /// Octets of the body that were sent since the last time.
  func hop(_ hop: Hop, sent count: Int)
  /// The end; nothing follows.
  func hop(_ hop: Hop, ended outcome: Result<Void, HopFailure>, _ access: borrowing EngineAccess)
}

/// Why a hop failed.
enum HopFailure: Error {
  /// A judgement that was made under another table; a fresh connection may do better.
  case outdated
  case other(URLError.Code, String)
  case pinning(PinningFailure.Reason)
  /// The table is another one than when the hop began. Nothing was sent.
  case tableChanged
}

/// One request and its response: an easy handle of libcurl. All state belongs to the engine's thread.
final class Hop: @unchecked Sendable {
  /// What becomes of what is still to come.
  enum Receiving {
    /// The rest is of no interest, but a short one is read, so that the connection can be used again.
    case discard
    /// It waits until the load says otherwise.
    case pause
    case receive
    case stop(HopFailure)
  }

  let request: HopRequest
  /// The octets of the request's body; -1 if they are not known, 0 without one.
  var bodyLength: Int64 { body.map { $0.length ?? -1 } ?? 0 }
  private(set) var handle: UnsafeMutableRawPointer?
  let number: UInt
  private weak var owner: (any HopOwner)?
  private let body: BodyReader?
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var lists: [UnsafeMutablePointer<curl_slist>?] = []
  private var head = ResponseHead()
  private var isHeadDelivered = false
  private var receiving = Receiving.receive
  private var failure: HopFailure?
  private var discarded = 0
  private var lastActivity: ContinuousClock.Instant?
  private var isSuspended = false
  /// Whether the request went out, or began to.
  private var isSent = false
  /// The octets of a body without interest that are read to keep the connection.
  private static let discardable = 64 << 10

  private static let numbers = Atomic<UInt>(0)
  private static let known = Locked<[UInt: WeakHop]>([:])
  private struct WeakHop: Sendable { weak var hop: Hop? }

  init(_ request: HopRequest, body: BodyReader?, owner: any HopOwner) {
    self.request = request
    self.body = body
    self.owner = owner
    self.number = Self.numbers.add(1, ordering: .relaxed).newValue
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    if request.judge != nil { Self.known.withLock { $0[number] = WeakHop(hop: self) } }
  }

  deinit {
    release()
    message.deallocate()
    if request.judge != nil { _ = Self.known.withLock { $0.removeValue(forKey: number) } }
  }

  /// The easy handle with everything set; nil if libcurl refuses a setting.
  func configure() -> UnsafeMutableRawPointer? {
    guard handle == nil, let easy = curl_easy_init() else { return nil }
    handle = easy
    var settings = HopSettings(easy)
    settings.apply(request, bodyLength: body.map { $0.length ?? -1 }, message: message)
    settings.set(
      chttp_set_callbacks(easy, Unmanaged.passUnretained(self).toOpaque(), number, request.judge == nil ? 0 : 1))
    lists = settings.lists
    if settings.isComplete { return easy }
    release()
    return nil
  }

  /// Gives the handle back.
  func release() {
    if let handle { curl_easy_cleanup(handle) }
    handle = nil
    for list in lists { curl_slist_free_all(list) }
    lists = []
  }

  /// Whether nothing moved for longer than the request allows, or it took too long in all.
  func isOverdue(at now: ContinuousClock.Instant) -> Bool {
    if now >= request.deadline { return true }
    guard let lastActivity, !isSuspended, !isPaused else { return false }
    return now - lastActivity >= request.idleTime
  }

  private var isPaused: Bool { if case .pause = receiving { true } else { false } }

  func timeOut(_ access: borrowing EngineAccess) {
    owner?.hop(self, ended: .failure(.other(.timedOut, "the request timed out")), access)
  }

  func finish(_ code: CURLcode, _ access: borrowing EngineAccess) {
    // A response without body has its head delivered here if it might have been an interim one.
    if code == CURLE_OK, failure == nil { deliverHead() }
    let outcome: Result<Void, HopFailure> =
      if let failure {
        .failure(failure)
      } else if code == CURLE_OK || isDiscarding && isHeadDelivered {
        isHeadDelivered ? .success(()) : .failure(.other(.badServerResponse, "the server sent no response"))
      } else {
        .failure(CurlError.failure(code, String(cString: message), isJudged: request.judge != nil))
      }
    owner?.hop(self, ended: outcome, access)
  }

  private var isDiscarding: Bool { if case .discard = receiving { true } else { false } }

  // MARK: what the load says

  /// Goes on after a pause.
  func proceed(_ next: Receiving) {
    receiving = next
    lastActivity = .now
    updatePause()
  }

  /// Stops to receive and send for a while; time does not count.
  func setSuspended(_ value: Bool) {
    isSuspended = value
    lastActivity = lastActivity.map { _ in .now }
    updatePause()
  }

  /// A stream has more to send.
  func wake() { updatePause() }

  private func updatePause() {
    guard let handle else { return }
    curl_easy_pause(handle, isSuspended ? CURLPAUSE_ALL : CURLPAUSE_CONT)
  }

  // MARK: what libcurl says

  static func startLibrary() -> Bool {
    var callbacks = chttp_callbacks(
      head: { user, bytes, length in
        Hop.of(user)?.receiveHead(UnsafeRawBufferPointer(start: bytes, count: length)) ?? 0
      },
      body: { user, bytes, length in
        Hop.of(user)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: length)) ?? 0
      },
      read: { user, bytes, capacity in
        Hop.of(user)?.send(UnsafeMutableRawBufferPointer(start: bytes, count: capacity)) ?? Int(CURL_READFUNC_ABORT)
      },
      seek: { user, offset in Hop.of(user)?.rewind(to: offset) == true ? 1 : 0 },
      before_request: { user in Hop.of(user)?.admit() == true ? 1 : 0 },
      judge: { number, connection, chain in
        guard let connection, let chain, let hop = Hop.known.withLock({ $0[number]?.hop }) else { return 0 }
        return hop.judge(connection, chain.pointee) ? 1 : 0
      })
    return chttp_start(&callbacks) == 1
  }

  /// The engine keeps a hop for as long as libcurl has its pointer.
  private static func of(_ user: UnsafeMutableRawPointer?) -> Hop? {
    user.map { Unmanaged<Hop>.fromOpaque($0).takeUnretainedValue() }
  }

  private func judge(_ connection: UnsafeMutableRawPointer, _ chain: chttp_chain) -> Bool {
    guard let judge = request.judge else { return false }
    do throws(ConnectionJudge.Refusal) {
      try judge.judge(connection, chain)
      return true
    } catch {
      failure = .pinning(error.reason)
      return false
    }
  }

  private func admit() -> Bool {
    lastActivity = .now
    guard request.isCurrent() else {
      failure = .tableChanged
      return false
    }
    // libcurl sends again what had no answer on a connection that it had used before.
    guard !isSent || request.mayRepeat else { return giveUpLostConnection() }
    guard let judge = request.judge, let handle else {
      isSent = true
      return request.judge == nil
    }
    do throws(ConnectionJudge.Refusal) {
      try judge.admit(chttp_connection(handle))
      isSent = true
      return true
    } catch {
      if case .outdated = error, !request.wantsFreshConnection {
        failure = .outdated
      } else {
        failure = .pinning(error.reason)
      }
      return false
    }
  }

  /// Goes back in the body, to send it once more.
  private func rewind(to offset: Int64) -> Bool {
    if isSent, !request.mayRepeat { return giveUpLostConnection() }
    if body?.seek(to: offset) == true { return true }
    return isSent && request.credential == nil ? giveUpLostConnection() : false
  }

  private func giveUpLostConnection() -> Bool {
    failure = .other(
      .networkConnectionLost, "the connection was lost before a response, and the request cannot be repeated")
    return false
  }

  private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    head.add(line, isTrailer: isHeadDelivered)
    guard head.size <= request.maximumHeadSize else {
      failure = .other(
        .dataLengthExceedsMaximum, "the header fields are longer than \(request.maximumHeadSize) octets")
      return 0
    }
    // An interim response is followed by another one, and so may be one that asks for a credential.
    let isInterim = 100..<200 ~= head.status || request.credential != nil && head.status == 401
    if head.isComplete, !isInterim { deliverHead() }
    return failure == nil ? line.count : 0
  }

  private func deliverHead() {
    guard head.isComplete, !isHeadDelivered, let owner else { return }
    isHeadDelivered = true
    receiving = owner.hop(self, received: head)
    if case .stop(let failure) = receiving { self.failure = failure }
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    deliverHead()
    if isSuspended { return Int(CURL_WRITEFUNC_PAUSE) }
    switch receiving {
    case .pause: return Int(CURL_WRITEFUNC_PAUSE)
    case .discard:
      discarded += bytes.count
      return discarded <= Self.discardable ? bytes.count : 0
    case .receive:
      guard let owner else { return 0 }
      receiving = owner.hop(self, received: Data(bytes))
      guard case .stop(let failure) = receiving else { return bytes.count }
      self.failure = failure
      return 0
    case .stop: return 0
    }
  }

  private func send(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    lastActivity = .now
    if isSuspended { return Int(CURL_READFUNC_PAUSE) }
    switch body?.read(into: buffer) ?? .end {
    case .bytes(let count):
      owner?.hop(self, sent: count)
      return count
    case .end: return 0
    case .failed:
      failure = .other(.requestBodyStreamExhausted, "the body of the request could not be read")
      return Int(CURL_READFUNC_ABORT)
    case .later: return Int(CURL_READFUNC_PAUSE)
    }
  }
}
