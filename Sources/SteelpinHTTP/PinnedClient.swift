// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// What carries pinned requests: a host table, who judges, and the connections. Sessions that are to share connections
/// and policy share one client.
///
/// All requests of a client run on one libcurl multi handle and one thread of its own, which is started by the first of
/// them. The evaluator works on that thread, too; one that fetches something while it judges holds up all requests.
public final class PinnedClient: Sendable {
  /// The hosts and what is demanded of them; it may be changed at any time.
  public let hosts: SharedHostTable
  /// Who judges the chains.
  public let evaluator: any TrustEvaluator
  /// The bounds and the rest.
  public let options: PinningOptions
  let engine: Engine

  /// A client; it connects to nothing before it is used.
  public init(
    hosts: SharedHostTable, evaluator: any TrustEvaluator, options: PinningOptions = PinningOptions()
  ) {
    self.hosts = hosts
    self.evaluator = evaluator
    self.options = options
    self.engine = Engine(connectionsPerHost: options.maximumConnectionsPerHost)
  }
}

/// How a ``PinnedClient`` works, beside what it demands of hosts.
public struct PinningOptions: Sendable {
  /// The octets that a response's body may have, after decompression and however it is delivered: 1 GiB. A larger one
  /// fails with `dataLengthExceedsMaximum`.
  public var maximumBodySize: Int64 = 1 << 30
  /// The octets that the header fields of one response may have, 256 KiB. More fail with `dataLengthExceedsMaximum`.
  public var maximumHeaderSize = 256 << 10
  /// The redirects that one request follows, 16.
  public var maximumRedirects = 16
  /// The connections that are open to one host at a time, 6. HTTP/2 carries many requests over one.
  public var maximumConnectionsPerHost = 6
  /// The proxy, unless the session's configuration has one.
  public var proxy = ProxySetting.environment
  /// Where to connect instead, in curl's form `HOST:PORT:CONNECT-TO-HOST:CONNECT-TO-PORT`. Chains are judged for the
  /// host of the URL all the same.
  public var connectTo: [String] = []
  /// What is at hand to tell whether certificates were revoked, beside what the server staples.
  public var evidence = RevocationEvidence()
  /// What changes every request before it is sent, in order; a redirect is not changed again.
  public var adapters: [any RequestAdapter] = []
  /// Called once for each request that fails because of what is demanded of the host, before its error reaches the
  /// caller. It is called on the client's thread and must not wait for a request.
  public var onFailure: (@Sendable (PinningFailure) -> Void)?

  /// Options as described; none are set.
  public init() {}
}

/// The way out. The TLS of the server goes through the proxy and is judged as ever; TLS to the proxy itself is not
/// supported.
public enum ProxySetting: Sendable, Hashable {
  /// What the variables http_proxy, https_proxy, all_proxy and no_proxy say.
  case environment
  /// An HTTP proxy: CONNECT for https.
  case http(host: String, port: UInt16)
  /// None.
  case none
  /// A SOCKS 5 proxy, which also looks up names.
  case socks5(host: String, port: UInt16)
}
