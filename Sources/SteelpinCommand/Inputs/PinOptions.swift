// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The pins of a command line.
enum PinOptions {
  /// The arguments of `--pin`: pins, or `@FILE` with one pin a line.
  static func pins(_ arguments: [String], inputs: Inputs) throws(CommandError) -> [Pin] {
    var pins: [Pin] = []
    for argument in arguments {
      guard argument.hasPrefix("@") else {
        pins.append(try pin(argument, place: ""))
        continue
      }
      pins += try list(String(argument.dropFirst()), inputs)
    }
    return pins
  }

  /// A file of pins; blank lines and those that begin with # do not count.
  private static func list(_ name: String, _ inputs: Inputs) throws(CommandError) -> [Pin] {
    let text = String(decoding: try inputs.bytes(of: name), as: UTF8.self)
    var pins: [Pin] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let content = line.drop { $0 == " " || $0 == "\t" }.split(separator: " ").first ?? ""
      guard !content.isEmpty, content.first != "#" else { continue }
      pins.append(try pin(content, place: "\(name), line \(index + 1): "))
    }
    guard !pins.isEmpty else {
      throw CommandError(
        .badData, code: "pin-list-empty", "\(name): there is no pin in the file",
        hint: "write one pin a line; a line that begins with # is a comment")
    }
    return pins
  }

  private static func pin(_ text: some StringProtocol, place: String) throws(CommandError) -> Pin {
    do throws(PinError) {
      return try Pin(parsing: text)
    } catch {
      throw CommandError(
        place.isEmpty ? .usage : .badData, code: "pin-malformed", "\(place)\(error)", hint: error.hint)
    }
  }
}
