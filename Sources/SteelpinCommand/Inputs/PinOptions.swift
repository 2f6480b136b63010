// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats

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
    guard !name.isEmpty else {
      throw .usage("--pin @ needs the name of a file", hint: "--pin @pins.txt; @- is standard input")
    }
    let text = try text(name, inputs)
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

  /// The text of a file; a byte order mark, and UTF-16 as PowerShell writes it, are read through.
  private static func text(_ name: String, _ inputs: Inputs) throws(CommandError) -> String {
    let bytes = try inputs.bytes(of: name)
    do throws(ConfigurationError) {
      return String(decoding: try SourceText(bytes, file: FileReader.name(of: name)).bytes, as: UTF8.self)
    } catch {
      throw CommandError(error)
    }
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
