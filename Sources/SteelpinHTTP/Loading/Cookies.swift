// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking
internal import Steelpin

extension Load {
  private var storage: HTTPCookieStorage? {
    settings.setsCookies && request.httpShouldHandleCookies ? settings.cookies : nil
  }

  /// The field `Cookie` for a URL; nil if there is nothing to send.
  func cookieField(_ target: URL) -> String? {
    guard let cookies = storage?.cookies(for: target), !cookies.isEmpty else { return nil }
    return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
  }

  /// Keeps the cookies of a response. Each field is read alone, as dates have commas, and none is kept for a domain that
  /// is not the host's (RFC 6265 section 5.3).
  func storeCookies(_ head: ResponseHead, url target: URL) {
    guard let storage, let host = url?.host.description else { return }
    for value in head.values("Set-Cookie") {
      let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: target)
      let own = cookies.filter { Self.domain($0.domain, isOf: host) }
      if !own.isEmpty { storage.setCookies(own, for: target, mainDocumentURL: request.mainDocumentURL) }
    }
  }

  private static func domain(_ domain: String, isOf host: String) -> Bool {
    let name = domain.lowercased().drop { $0 == "." }
    if name == host[...] { return true }
    return host.hasSuffix(".\(name)") && !PublicSuffix.contains(Array(name.utf8), section: .all)
  }
}
