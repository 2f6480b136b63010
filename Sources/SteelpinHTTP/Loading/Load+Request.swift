// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking
internal import Steelpin

extension Load {
  /// What the next hop sends, if the table allows it at all.
  func hopRequest(fresh: Bool, deadline: ContinuousClock.Instant) throws(LoadError) -> HopRequest {
    guard let target = request.url, let url = RequestURL(target.absoluteString) else {
      throw .url(.badURL, "the URL of the request cannot be read")
    }
    // Where Foundation and libcurl read a URL in two ways, it is refused.
    guard let name = target.host, let host = try? HostName(name), host == url.host else {
      throw .url(.badURL, "the host of the request's URL cannot be read")
    }
    guard url.scheme == "https" || url.scheme == "http" else {
      throw .url(.unsupportedURL, "\(url.scheme): is not https or http")
    }
    let proxy = settings.proxy ?? client.options.proxy
    if case .environment = proxy, ProxySetting.environmentNeedsTLS {
      throw .url(.cannotConnectToHost, "a proxy that is reached by TLS is not supported; use http:// or socks5h://")
    }
    let (table, number) = { ($0.table, $0.number) }(client.hosts.snapshot)
    let judge = try judge(url, target, table, number)
    let method = request.httpMethod ?? "GET"
    guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenOctet) else {
      throw .url(.badURL, "the method of the request is none")
    }
    let timeout = request.timeoutInterval == 60 ? settings.requestTimeout : request.timeoutInterval
    return HopRequest(
      url: url, method: method, fields: try fields(target, method), judge: judge,
      credential: credential.flatMap { used in
        guard used.origin.hasSameOrigin(as: url) else { return nil }
        return HopRequest.Credential(
          user: used.credential.user ?? "", password: used.credential.password ?? "", isDigest: used.isDigest)
      }, proxy: proxy, connectTo: client.options.connectTo,
      isCurrent: { [hosts = client.hosts] in hosts.snapshot.number == number }, wantsFreshConnection: fresh,
      idleTime: .seconds(min(max(0.001, timeout), 1e6)), deadline: deadline,
      maximumHeadSize: client.options.maximumHeaderSize)
  }

  /// Who judges the connection; nil if the host is left to libcurl or nothing can be judged.
  private func judge(
    _ url: RequestURL, _ target: URL, _ table: HostTable, _ number: UInt64
  ) throws(LoadError) -> ConnectionJudge? {
    let policy: CompositePolicy
    switch table.rule(for: url.host) {
    case .deny: throw .pinning(PinningFailure(url: target, host: url.host, reason: .denied))
    case .bypass: return try checkPlainHTTP(url, target, table)
    case .demand(let demanded): policy = demanded
    case .system: policy = .policy(TrustPolicy())
    }
    guard url.isSecure else { return try checkPlainHTTP(url, target, table) }
    return ConnectionJudge(
      evaluator: client.evaluator, host: url.host, policy: policy, evidence: client.options.evidence, table: number)
  }

  private func checkPlainHTTP(_ url: RequestURL, _ target: URL, _ table: HostTable) throws(LoadError)
    -> ConnectionJudge?
  {
    guard url.isSecure || table.allowsPlainHTTP(to: url.host) else {
      throw .pinning(PinningFailure(url: target, host: url.host, reason: .plainHTTP))
    }
    return nil
  }

  private func fields(_ target: URL, _ method: String) throws(LoadError) -> [(name: String, value: String)] {
    var fields = request.allHTTPHeaderFields ?? [:]
    func has(_ name: String) -> Bool { fields.keys.contains { $0.caseInsensitiveCompare(name) == .orderedSame } }
    for (name, value) in settings.additionalFields where !has(name) { fields[name] = value }
    if let cookies = cookieField(target) {
      fields = fields.filter { $0.key.caseInsensitiveCompare("Cookie") != .orderedSame }
      fields["Cookie"] = cookies
    }
    if method == "POST", case .data = body, !has("Content-Type") {
      fields["Content-Type"] = "application/x-www-form-urlencoded"
    }
    // How the body is framed is for libcurl to say, who counts its octets (RFC 9110 section 8.6, RFC 9112 section 6.1).
    for name in ["Content-Length", "Transfer-Encoding"] {
      fields = fields.filter { $0.key.caseInsensitiveCompare(name) != .orderedSame }
    }
    if case .none = body, ["POST", "PUT", "PATCH"].contains(method) { fields["Content-Length"] = "0" }
    for (name, value) in fields {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenOctet),
        !value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D })
      else { throw .url(.badURL, "the field \(name.debugDescription) of the request is none") }
    }
    return fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// RFC 9110 section 5.6.2.
  private static func isTokenOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
  }
}
