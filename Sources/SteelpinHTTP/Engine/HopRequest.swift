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
  /// Whether a connection that is open already may not be used.
  var wantsFreshConnection: Bool
  /// How long nothing may move, and how long a connection may take to be made.
  var idleTime: Duration
  var deadline: ContinuousClock.Instant
  var maximumHeadSize: Int
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
