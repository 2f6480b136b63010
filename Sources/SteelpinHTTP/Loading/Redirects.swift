// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking

extension Load {
  /// The request that a response asks for instead (RFC 9110 section 15.4); nil if it asks for none.
  func redirect(_ head: ResponseHead, from target: URL) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(head.status), let location = head.values("Location").first,
      let next = URL(string: location, relativeTo: target)?.absoluteURL, next.scheme != nil
    else { return nil }
    var request = self.request
    request.url = next
    let method = request.httpMethod ?? "GET"
    if head.status == 303 && method != "HEAD" || (head.status == 301 || head.status == 302) && method == "POST" {
      request.httpMethod = "GET"
      request.httpBody = nil
      request.httpBodyStream = nil
      remove(["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"], from: &request)
    }
    // What was meant for one host is not shown to another.
    let isSame = url.flatMap { url in RequestURL(next.absoluteString).map { url.hasSameOrigin(as: $0) } } ?? false
    remove(isSame ? ["Cookie"] : ["Authorization", "Cookie", "Host", "Proxy-Authorization"], from: &request)
    return request
  }

  private func remove(_ names: [String], from request: inout URLRequest) {
    for name in request.allHTTPHeaderFields?.keys.map({ $0 }) ?? []
    where names.contains(where: { $0.caseInsensitiveCompare(name) == .orderedSame }) {
      request.setValue(nil, forHTTPHeaderField: name)
    }
  }
}
