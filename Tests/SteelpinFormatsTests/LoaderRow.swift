// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@testable import SteelpinFormats

/// One input and the right answer to it.
struct LoaderRow: Sendable, CustomTestStringConvertible {
  /// What must come out.
  enum Answer: Sendable {
    case error(LoadErrorCode, block: Int? = nil, line: Int? = nil, column: Int? = nil, says: String = "")
    case loads(Int, [LoadNoteCode] = [])
  }

  let name: String
  let bytes: [UInt8]
  let answer: Answer

  init(_ name: String, _ bytes: [UInt8], _ answer: Answer) {
    self.name = name
    self.bytes = bytes
    self.answer = answer
  }

  init(_ name: String, _ text: String, _ answer: Answer) { self.init(name, utf8(text), answer) }

  var testDescription: String { name }

  /// Loads the input and compares.
  func check(_ loader: CertificateLoader = CertificateLoader()) {
    do throws(LoadError) {
      let file = try loader.load(bytes, name: "file")
      guard case .loads(let count, let notes) = answer else {
        Issue.record("\(name): \(file.certificates.count) certificates instead of an error")
        return
      }
      #expect(file.certificates.count == count)
      #expect(file.notes.map(\.code) == notes)
      let known = Fixture.chain + [Fixture.leaf]
      for loaded in file.certificates { #expect(known.contains(loaded.certificate.der), "a certificate was changed") }
    } catch {
      guard case .error(let code, let block, let line, let column, let text) = answer else {
        Issue.record("\(name): \(error)")
        return
      }
      #expect(error.code == code)
      if let block { #expect(error.place.block == block) }
      if let line { #expect(error.place.line == line) }
      if let column { #expect(error.place.column == column) }
      #expect(error.description.contains(text), "\(error.description)")
    }
  }
}
