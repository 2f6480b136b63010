// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// What one hop sends where, and within which bounds.
struct HopRequest: Sendable {
  /// A user's name and password, and how they are shown.
  struct Credential: Sendable {
    var user: String
    var password: String
    var isDigest: Bool
  }

  var url: RequestURL
  var method: String
  /// The fields; names and values are known to hold no line ends.
  var fields: [(name: String, value: String)]
  /// Who judges the connection; nil if libcurl does with the system's anchors, or if the URL is plain HTTP.
  var judge: ConnectionJudge?
  var credential: Credential?
  var proxy: ProxySetting
  var connectTo: [String]
  /// Whether the table by which the request was made holds still.
  var isCurrent: @Sendable () -> Bool
  /// Whether a connection that is open already may not be used.
  var wantsFreshConnection: Bool
  /// How long nothing may move, and how long a connection may take to be made.
  var idleTime: Duration
  var deadline: ContinuousClock.Instant
  var maximumHeadSize: Int
}

extension HopRequest {
  /// Whether it may be sent once more when it is not known if the server acted on it (RFC 9110 section 9.2.2). One with a
  /// credential is sent again when libcurl answers a challenge.
  var mayRepeat: Bool { credential != nil || ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"].contains(method) }
}

/// A URL as libcurl reads it: what is judged must be what is connected to.
struct RequestURL: Sendable {
  let text: String
  let scheme: String
  let host: HostName
  let port: Int

  var isSecure: Bool { scheme == "https" }

  /// Whether credentials for one may be sent to the other.
  func hasSameOrigin(as other: RequestURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }
}
