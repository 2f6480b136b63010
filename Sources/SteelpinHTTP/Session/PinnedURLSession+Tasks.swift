// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking

extension PinnedURLSession {
  func makeDataTask(
    _ request: URLRequest, _ delivery: any TaskDelivery, delegate: (any URLSessionTaskDelegate)? = nil
  ) -> PinnedDataTask {
    let core = TaskCore(session: self, request: request, delivery: delivery, delegate: delegate)
    return PinnedDataTask(core, body: nil)
  }

  func makeUploadTask(
    _ request: URLRequest, _ body: RequestBody?, _ delivery: any TaskDelivery,
    delegate: (any URLSessionTaskDelegate)? = nil, asksForStream: Bool = false
  ) -> PinnedUploadTask {
    var request = request
    // An adapter that signs the body finds it where it is with other tasks.
    if case .data(let data) = body { request.httpBody = data }
    let core = TaskCore(session: self, request: request, delivery: delivery, delegate: delegate)
    return PinnedUploadTask(core, body: body, asksForStream: asksForStream)
  }

  func makeDownloadTask(
    _ request: URLRequest, _ delivery: any TaskDelivery, delegate: (any URLSessionTaskDelegate)? = nil
  ) -> PinnedDownloadTask {
    let core = TaskCore(session: self, request: request, delivery: delivery, delegate: delegate)
    return PinnedDownloadTask(core, body: nil)
  }
}
