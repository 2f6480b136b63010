// SPDX-License-Identifier: Apache-2.0
internal import CHTTPShims
internal import Foundation

/// What URLSession calls the failures of libcurl.
enum CurlError {
  /// CURLE_TOO_LARGE, which headers before libcurl 8.6 do not name.
  private static let tooLarge: UInt32 = 100

  static func failure(_ code: CURLcode, _ message: String, isJudged: Bool) -> HopFailure {
    let text =
      if code == CURLE_OUT_OF_MEMORY || code.rawValue == tooLarge {
        "a line of the response's header is longer than libcurl takes"
      } else if code == CURLE_FAILED_INIT {
        "a request could not be set up; libcurl 7.85 or later, built with OpenSSL, is needed"
      } else {
        message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
      }
    return .other(urlCode(code, isJudged: isJudged), text)
  }

  private static func urlCode(_ code: CURLcode, isJudged: Bool) -> URLError.Code {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
    case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .cannotConnectToHost
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_URL_MALFORMAT: .badURL
    case CURLE_PEER_FAILED_VERIFICATION: isJudged ? .secureConnectionFailed : .serverCertificateUntrusted
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE:
      .secureConnectionFailed
    case CURLE_SSL_CERTPROBLEM: .clientCertificateRejected
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE: .networkConnectionLost
    case CURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
    case CURLE_SEND_FAIL_REWIND, CURLE_READ_ERROR: .requestBodyStreamExhausted
    // The scheme was looked at before: this is an answer that is not HTTP.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM: .badServerResponse
    case CURLE_FAILED_INIT: .cannotLoadFromNetwork
    // A line of the header that is longer than 100 KB, which libcurl does not take.
    case CURLE_OUT_OF_MEMORY, CURLcode(tooLarge): .dataLengthExceedsMaximum
    case CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR: .cancelled
    default: .unknown
    }
  }
}
