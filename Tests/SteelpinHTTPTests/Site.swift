// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Synchronization

/// nginx with TLS and HTTP/2 on the loopback interface, and behind it a server that answers by a closure and keeps what
/// it was asked.
final class Site: Sendable {
  typealias Request = LoopbackHTTPServer.Request
  typealias Response = LoopbackHTTPServer.Response

  private let front: ServerFixture
  private let back: LoopbackHTTPServer
  private let asked: Requests

  private final class Requests: Sendable {
    let list = Mutex<[Request]>([])
  }

  /// What arrived, in order.
  var requests: [Request] { asked.list.withLock { $0 } }

  init(
    _ entry: String = "leaf/p-256", _ directives: [String] = [],
    answer: @escaping @Sendable (Request) -> Response = { Response(Array("hello \($0.path)".utf8)) }
  ) async throws {
    let asked = Requests()
    back = try LoopbackHTTPServer { request in
      asked.list.withLock { $0.append(request) }
      return answer(request)
    }
    let location = """
      location / {
        proxy_pass \(back.url);
        proxy_set_header Host $host;
        proxy_set_header X-Protocol $server_protocol;
        proxy_set_header X-Connection $connection;
        proxy_set_header X-Session-Reused $ssl_session_reused;
        proxy_redirect off;
        proxy_buffering off;
      }
      """
    front = try await ServerFixture.nginx(entry, directives + ["client_max_body_size 100m;", location])
    self.asked = asked
  }

  var port: UInt16 { front.port }

  /// A URL of the site, by a name that its certificate has unless told otherwise.
  func url(_ path: String = "/", host: String = "www.steelpin.test") throws -> URL {
    guard let url = URL(string: "https://\(host):\(port)\(path)") else { throw URLError(.badURL) }
    return url
  }
}

/// The name of the site, and what is demanded of it.
enum Demands {
  static let host = "www.steelpin.test"
  /// All names are those of this machine.
  static let connectTo = ["::127.0.0.1:"]

  /// The usual anchors, and the pin of an entry's key on the leaf.
  static func pinned(to entry: String) throws -> TrustPolicy {
    TrustPolicy(
      anchors: .only(try TestCerts.roots()),
      pinning: .pins(PinSet([Pin(.publicKey, of: try TestCerts.certificate(entry))]), scope: .leaf),
      time: TestCerts.clock)
  }

  static func options(_ change: (inout PinningOptions) -> Void = { _ in }) -> PinningOptions {
    var options = PinningOptions()
    options.connectTo = connectTo
    options.proxy = .none
    change(&options)
    return options
  }

  static func session(
    _ table: HostTable, by backend: any TrustEvaluator, configuration: URLSessionConfiguration = .ephemeral,
    delegate: (any URLSessionDelegate)? = nil, _ change: (inout PinningOptions) -> Void = { _ in }
  ) -> PinnedURLSession {
    URLSession.pinned(
      by: table, evaluator: backend, options: options(change), configuration: configuration, delegate: delegate)
  }

  /// A session that demands the site's own key.
  static func session(
    by backend: (any TrustEvaluator)? = nil, configuration: URLSessionConfiguration = .ephemeral,
    delegate: (any URLSessionDelegate)? = nil, _ change: (inout PinningOptions) -> Void = { _ in }
  ) throws -> PinnedURLSession {
    let table = try HostTable([host: .policy(pinned(to: "leaf/p-256"))])
    return session(
      table, by: backend ?? trustBackends()[0], configuration: configuration, delegate: delegate, change)
  }
}

/// The error of a request that must fail.
func failure(_ body: () async throws -> some Any) async throws -> URLError {
  do {
    _ = try await body()
  } catch let error as URLError {
    return error
  }
  throw Unexpected(what: "the request succeeded")
}

struct Unexpected: Error {
  let what: String
}
