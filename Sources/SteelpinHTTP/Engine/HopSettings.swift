// SPDX-License-Identifier: Apache-2.0
internal import CHTTPShims
private import Glibc
private import Steelpin

/// Sets an easy handle up; every setting must be accepted.
struct HopSettings {
  private let easy: UnsafeMutableRawPointer
  private(set) var isComplete = true
  /// To be freed after the handle.
  private(set) var lists: [UnsafeMutablePointer<curl_slist>?] = []

  init(_ easy: UnsafeMutableRawPointer) { self.easy = easy }

  mutating func set(_ code: CURLcode) { if code != CURLE_OK { isComplete = false } }

  private mutating func set(_ option: CURLoption, _ value: Int) { set(chttp_set_long(easy, option, value)) }

  private mutating func set(_ option: CURLoption, _ value: String) { set(chttp_set_string(easy, option, value)) }

  private mutating func set(_ option: CURLoption, _ values: [String]) {
    guard !values.isEmpty else { return }
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values {
      guard let longer = curl_slist_append(list, value) else {
        isComplete = false
        break
      }
      list = longer
    }
    lists.append(list)
    set(chttp_set_list(easy, option, list))
  }

  /// `bodyLength` is nil without a body and negative if it is not known.
  mutating func apply(_ request: HopRequest, bodyLength: Int64?, message: UnsafeMutablePointer<CChar>) {
    set(chttp_set_buffer(easy, message))
    set(CURLOPT_URL, request.url.text)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, request.idleTime.milliseconds)
    if request.wantsFreshConnection { set(CURLOPT_FRESH_CONNECT, 1) }
    set(CURLOPT_CONNECT_TO, request.connectTo)
    setMethod(request.method, bodyLength)
    setFields(request, hasBody: bodyLength != nil)
    setCredential(request.credential)
    setProxy(request.proxy)
  }

  private mutating func setMethod(_ method: String, _ bodyLength: Int64?) {
    if let bodyLength {
      set(CURLOPT_UPLOAD, 1)
      set(chttp_set_offset(easy, CURLOPT_INFILESIZE_LARGE, Int(bodyLength)))
    } else if method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
    }
    if method != "HEAD" || bodyLength != nil { set(CURLOPT_CUSTOMREQUEST, method) }
  }

  private mutating func setFields(_ request: HopRequest, hasBody: Bool) {
    // libcurl wants `name;` for an empty value, and adds a field of its own unless it is named.
    var lines = request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    let names = Set(request.fields.map { $0.name.lowercased() })
    if hasBody, !names.contains("expect") { lines.append("Expect:") }
    if !names.contains("accept") { lines.append("Accept: */*") }
    set(CURLOPT_HTTPHEADER, lines)
    // What is for the server is not shown to a proxy.
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
  }

  private mutating func setCredential(_ credential: HopRequest.Credential?) {
    guard let credential else { return }
    set(CURLOPT_USERNAME, credential.user)
    set(CURLOPT_PASSWORD, credential.password)
    set(CURLOPT_HTTPAUTH, credential.isDigest ? 2 : 1)
  }

  private mutating func setProxy(_ proxy: ProxySetting) {
    switch proxy {
    case .environment: break
    case .http(let host, let port):
      set(CURLOPT_PROXY, Self.endpoint("http", host, port))
      set(CURLOPT_NOPROXY, "")
    case .none: set(CURLOPT_PROXY, "")
    case .socks5(let host, let port):
      set(CURLOPT_PROXY, Self.endpoint("socks5h", host, port))
      set(CURLOPT_NOPROXY, "")
    }
  }

  private static func endpoint(_ scheme: String, _ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
  }
}

extension Duration {
  /// Whole milliseconds, at least one, clamped to what libcurl takes.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}

extension ProxySetting {
  /// The variables that libcurl reads; one that names a proxy reached by TLS is refused, as its chain could not be told
  /// from the server's.
  static var environmentNeedsTLS: Bool {
    let names: [String] = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return names.contains { name in
      getenv(name).map { String(cString: $0).lowercased().hasPrefix("https:") } ?? false
    }
  }
}

extension RequestURL {
  /// Reads a URL as libcurl does; nil if it or the host is none. Users and passwords of URLs are left out.
  init?(_ text: String) {
    guard !text.utf8.contains(0), let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT] { curl_url_set(url, part, nil, 0) }
    func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
      guard let value = chttp_url_part(url, part, flags) else { return nil }
      defer { curl_free(value) }
      return String(cString: value)
    }
    guard let scheme = part(CURLUPART_SCHEME), let hostText = part(CURLUPART_HOST), let text = part(CURLUPART_URL),
      let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
    else { return nil }
    do throws(HostNameError) { host = try HostName(hostText) } catch { return nil }
    self.text = text
    self.scheme = scheme
    self.port = port
  }
}
