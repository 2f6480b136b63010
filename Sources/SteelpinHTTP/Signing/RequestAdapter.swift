// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking

/// Something that changes a request before it is sent: signs it, adds fields.
public protocol RequestAdapter: Sendable {
  /// The request to send instead. An error fails the request and reaches the caller as it is.
  func adapt(_ request: URLRequest) throws -> URLRequest
}
