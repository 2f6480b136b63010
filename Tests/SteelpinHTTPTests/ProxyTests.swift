// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Testing

@Suite("proxies", ExternalTool.nginx.required) struct ProxyTests {
  private func setting(_ kind: RelayProxy.Kind, _ port: UInt16) -> ProxySetting {
    kind == .http ? .http(host: "127.0.0.1", port: port) : .socks5(host: "127.0.0.1", port: port)
  }

  @Test("the server behind a proxy is judged, and the proxy reads nothing", arguments: [RelayProxy.Kind.http, .socks])
  func through(_ kind: RelayProxy.Kind) async throws {
    let site = try await Site()
    let proxy = try RelayProxy(kind, to: site.port)
    let session = try Demands.session {
      $0.proxy = setting(kind, proxy.port)
      $0.connectTo = []
    }
    let url = try #require(URL(string: "https://www.steelpin.test:4430/secret-path"))
    var request = URLRequest(url: url)
    request.setValue("secret-field", forHTTPHeaderField: "X-Secret")
    let (data, response) = try await session.data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "hello /secret-path")
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Proxy") == nil)
    #expect(proxy.asked == ["www.steelpin.test:4430"])
    #expect(!String(decoding: proxy.octets, as: UTF8.self).contains("secret"))
  }

  @Test("a proxy that leads elsewhere gets nothing", arguments: [RelayProxy.Kind.http, .socks])
  func intercepted(_ kind: RelayProxy.Kind) async throws {
    let other = try await Site("leaf/rsa-2048")
    let proxy = try RelayProxy(kind, to: other.port)
    let session = try Demands.session {
      $0.proxy = setting(kind, proxy.port)
      $0.connectTo = []
    }
    let url = try #require(URL(string: "https://www.steelpin.test:4430/"))
    let error = try await failure { try await session.data(from: url) }
    #expect(error.pinningFailure?.verdict?.outcome == .pinMismatch)
    #expect(other.requests.isEmpty)
  }

  @Test("the proxy of a configuration goes before that of the options") func configuration() async throws {
    let site = try await Site()
    let proxy = try RelayProxy(.http, to: site.port)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = ["HTTPSProxy": "127.0.0.1", "HTTPSPort": Int(proxy.port)]
    let session = try Demands.session(configuration: configuration) { $0.connectTo = [] }
    _ = try await session.data(from: try #require(URL(string: "https://www.steelpin.test:4430/")))
    #expect(proxy.asked.count == 1)
  }

  @Test("a proxy that is not there") func missing() async throws {
    let port = try LoopbackListener.freePort()
    let session = try Demands.session { $0.proxy = .http(host: "127.0.0.1", port: port) }
    let error = try await failure {
      try await session.data(from: try #require(URL(string: "https://www.steelpin.test/")))
    }
    #expect(error.code == .cannotConnectToHost)
  }
}

@Suite("other servers") struct OtherServerTests {
  private func check(_ server: ServerFixture, path: String = "/") async throws {
    let url = try #require(URL(string: "https://www.steelpin.test:\(server.port)\(path)"))
    let (_, response) = try await Demands.session().data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    let wrong = Demands.session(
      try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))]), by: trustBackends()[0])
    #expect(try await failure { try await wrong.data(from: url) }.pinningFailure?.verdict?.outcome == .pinMismatch)
  }

  @Test("Apache", ExternalTool.apache.required) func apache() async throws {
    let page = try ScratchDirectory()
    _ = try page.write(Array("page".utf8), as: "index.html")
    try await check(.apache("leaf/p-256", ["DocumentRoot \(page.url.path)"]), path: "/index.html")
  }

  @Test("GnuTLS", ExternalTool.gnutlsServ.required) func gnutls() async throws {
    try await check(.gnutls("leaf/p-256", ["--http"]))
  }

  @Test("OpenSSL", ExternalTool.openssl.required) func openssl() async throws {
    try await check(.openssl("leaf/p-256"))
  }
}
