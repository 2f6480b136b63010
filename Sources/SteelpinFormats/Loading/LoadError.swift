// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Why a file was not loaded: what, where, why and what to do, in a person's words.
public struct LoadError: Error, Hashable, Sendable {
  /// What went wrong, as a stable code.
  public let code: LoadErrorCode
  /// Where it went wrong.
  public let place: FilePlace
  /// What is wrong, without the place, as in `is a PKCS#10 certificate request, not a certificate` after the file's
  /// name, or `the END line is missing` after a colon.
  public let what: String
  /// Why that cannot be loaded; nil if it goes without saying.
  public let reason: String?
  /// What to do about it; nil if there is no good advice.
  public let remedy: String?
  /// What a library or the system said, as detail.
  public let native: [NativeCode]

  init(
    _ code: LoadErrorCode, _ place: FilePlace, _ what: String, reason: String? = nil, remedy: String? = nil,
    native: [NativeCode] = []
  ) {
    self.code = code
    self.place = place
    self.what = what
    self.reason = reason
    self.remedy = remedy
    self.native = native
  }

  /// Place and fault in one line, as in `ca.pem, block 2, line 24: the END line is missing`.
  public var message: String {
    what.hasPrefix("is ") || what.hasPrefix("holds ") ? "\(place.file) \(what)" : "\(place): \(what)"
  }
}

extension LoadError {
  /// Standard output that takes nothing more.
  package static let standardOutput = LoadError(
    .inputOutput, FilePlace(file: "standard output"), "it cannot be written",
    remedy: "check the program that reads from it")

  /// Certificates that do not hold what was asked for.
  package static func unsuitable(_ name: String, _ what: String, remedy: String) -> LoadError {
    LoadError(.notCertificate, FilePlace(file: name), what, remedy: remedy)
  }

  /// Nothing is left to be written into a file of that name.
  package static func nothingToWrite(_ name: String) -> LoadError {
    LoadError(
      .empty, FilePlace(file: name), "there is no certificate to write", remedy: "check what was left out")
  }
}

extension LoadError: CustomStringConvertible {
  /// The message, then reason and remedy, each indented on a line of its own.
  public var description: String {
    [message, reason.map { "  " + $0 }, remedy.map { "  " + $0 }].compactMap(\.self).joined(separator: "\n")
  }
}

/// The errors of loading and writing files.
@nonexhaustive
public enum LoadErrorCode: String, Sendable, Codable, CaseIterable {
  /// A character that cannot stand in base64, or base64 that is incomplete.
  case badBase64 = "bad-base64"
  /// The library for PKCS#12 failed, or there is none.
  case backendUnavailable = "backend-unavailable"
  /// A boundary line that is nearly but not quite PEM.
  case boundaryDamaged = "boundary-damaged"
  /// A directory where a file is wanted, or a loop of symbolic links.
  case directory
  /// Nothing in it.
  case empty
  /// An END line without its BEGIN line, or one with another label.
  case endMismatch = "end-mismatch"
  /// A block without its END line.
  case endMissing = "end-missing"
  /// A file that is not there.
  case fileMissing = "file-missing"
  /// Reading or writing failed.
  case inputOutput = "input-output"
  /// DER that is not a certificate though it should be.
  case malformedCertificate = "malformed-certificate"
  /// A container of certificates that is damaged.
  case malformedContainer = "malformed-container"
  /// A file that holds no certificate, with what it holds instead.
  case notCertificate = "not-a-certificate"
  /// A file that exists already.
  case outputExists = "output-exists"
  /// A password is needed.
  case passwordRequired = "password-required"
  /// No permission to read.
  case permission
  /// A note that strict loading does not forgive.
  case strict
  /// Nothing arrived in time from a pipe.
  case timeout
  /// More bytes than the limit.
  case tooLarge = "too-large"
  /// Encryption with more rounds than any honest file has.
  case tooManyIterations = "too-many-iterations"
  /// A value that ends before it should.
  case truncated
  /// Bytes of no known kind.
  case unknownContent = "unknown-content"
  /// A well-known format that is not read.
  case unsupported
  /// The password does not fit.
  case wrongPassword = "wrong-password"

  /// The sysexits number of the error: 65 bad data, 66 input missing, 69 backend unavailable, 73 would overwrite,
  /// 74 input or output.
  public var exitStatus: Int32 {
    switch self {
    case .backendUnavailable: 69
    case .directory, .fileMissing, .permission: 66
    case .inputOutput, .timeout: 74
    case .outputExists: 73
    default: 65
    }
  }
}
