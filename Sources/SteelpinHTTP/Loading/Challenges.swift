// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking
private import Steelpin

extension Load {
  /// The challenge that a response with status 401 makes, the strongest scheme of Basic and Digest; nil if there is none.
  func challenge(_ head: ResponseHead, _ response: HTTPURLResponse) -> URLAuthenticationChallenge? {
    guard head.status == 401, let url else { return nil }
    let offers = head.values("WWW-Authenticate").flatMap(AuthenticationOffer.read)
    let schemes = [("digest", NSURLAuthenticationMethodHTTPDigest), ("basic", NSURLAuthenticationMethodHTTPBasic)]
    for (scheme, method) in schemes {
      guard let offer = offers.first(where: { $0.scheme == scheme }) else { continue }
      let space = URLProtectionSpace(
        host: url.host.description, port: url.port, protocol: url.scheme, realm: offer.realm,
        authenticationMethod: method)
      return URLAuthenticationChallenge(
        protectionSpace: space, proposedCredential: settings.credentials?.defaultCredential(for: space),
        previousFailureCount: challenges, failureResponse: response, error: nil, sender: ChallengeSender())
    }
    return nil
  }

  /// Does what the caller said to a challenge.
  func answer(
    _ challenge: URLAuthenticationChallenge, _ disposition: URLSession.AuthChallengeDisposition,
    _ chosen: URLCredential?, _ response: HTTPURLResponse, _ access: borrowing EngineAccess
  ) {
    var answer: URLCredential?
    switch disposition {
    case .cancelAuthenticationChallenge:
      return fail(.url(.userCancelledAuthentication, "the challenge was cancelled"), access)
    case .performDefaultHandling:
      // A credential that is known is tried once.
      answer = challenge.previousFailureCount == 0 ? challenge.proposedCredential : nil
    case .rejectProtectionSpace: break
    case .useCredential: answer = chosen
    }
    guard let answer, let url else { return deliver(response, access) }
    credential = UsedCredential(
      credential: answer, space: challenge.protectionSpace, origin: url,
      isDigest: challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPDigest)
    goOn(with: request, access)
  }
}

/// A scheme that a server offers.
struct AuthenticationOffer {
  let scheme: String
  let realm: String?

  /// Reads one field `WWW-Authenticate`: schemes with their parameters (RFC 9110 section 11.6.1).
  static func read(_ value: String) -> [AuthenticationOffer] {
    var offers: [AuthenticationOffer] = []
    for item in items(value) {
      let words = item.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard let first = words.first else { continue }
      // A parameter has its sign before any space; a scheme is followed by a space or stands alone.
      var parameter = item
      if !first.contains("=") {
        offers.append(AuthenticationOffer(scheme: first.lowercased(), realm: nil))
        parameter = words.count > 1 ? String(words[1]) : ""
      }
      guard let equals = parameter.firstIndex(of: "="), let last = offers.popLast() else { continue }
      let name = parameter[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      let text = parameter[parameter.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      offers.append(AuthenticationOffer(scheme: last.scheme, realm: name == "realm" ? unquoted(text) : last.realm))
    }
    return offers
  }

  /// The parts between commas that stand in no quotes.
  private static func items(_ value: String) -> [String] {
    var items = [""]
    var isQuoted = false
    var isEscaped = false
    for character in value {
      if character == ",", !isQuoted {
        items.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      items[items.count - 1].append(character)
    }
    return items.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
    return String(text.dropFirst().dropLast()).replacingOccurrences(of: "\\\"", with: "\"")
      .replacingOccurrences(of: "\\\\", with: "\\")
  }
}

/// Challenges are answered by closures here, so there is nothing to send.
private final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
  func cancel(_ challenge: URLAuthenticationChallenge) {}
  func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
