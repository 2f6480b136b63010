// SPDX-License-Identifier: Apache-2.0
import SteelpinTestSupport
import Testing

/// What independent tools say about DER that recipes made.
struct Inspection {
  private let directory: ScratchDirectory
  private let file: String

  init(_ der: [UInt8]) throws {
    self.directory = try ScratchDirectory()
    self.file = try directory.write(der, as: "object")
  }

  /// What `openssl` prints.
  func openssl(_ command: String...) throws -> ExternalTool.Result {
    try ExternalTool.openssl.run(command + ["-inform", "DER", "-in", file], in: directory)
  }

  /// What `certtool` prints.
  func certtool(_ command: String...) throws -> ExternalTool.Result {
    try ExternalTool.certtool.run(command + ["--inder", "--infile", file], in: directory)
  }
}

extension ExternalTool.Result {
  /// The text with every run of white space made one space, so that a phrase may be broken over lines.
  var phrase: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
