// SPDX-License-Identifier: Apache-2.0
internal import SteelpinConfigurations
internal import SteelpinFormats

extension Command {
  /// `steelpin pin export`.
  static let pinExport = Command(
    "pin export", "write a pin configuration in another format", operands: "FILE…", completion: .file,
    notes: """
      What the format cannot say is listed on standard error and must be accepted with --allow-loss. The same input
      gives the same output, byte for byte.
      """,
    examples: [
      ("steelpin pin export steelpin.json --to android --output network_security_config.xml", "for Android"),
      ("steelpin pin export Info.plist --from trustkit --to okhttp --allow-loss", "OkHttp knows no expiry"),
      ("steelpin pin export steelpin.json --to tlsa", "as records for a zone"),
    ],
    options: [.from, .toPins, .allowLoss, .outputFile, .force, .verbose, .color],
    statuses: [.success, .usage, .badData, .inputMissing, .wouldOverwrite, .inputOutput, .configuration]
  ) { (invocation: Invocation) async throws(CommandError) in
    guard let name = invocation.arguments.value(.toPins) else {
      throw .usage("pin export needs --to", hint: "--to is one of \(PinExport.writable.joined(separator: ", "))")
    }
    return try PinExport.run(invocation, to: name)
  }

  /// `steelpin pin import`.
  static let pinImport = Command(
    "pin import", "write pin configurations of any format as one steelpin.json", operands: "FILE…", completion: .file,
    notes: "The same as pin export with --to steelpin.",
    examples: [
      ("steelpin pin import Info.plist --output steelpin.json", "the pins of an app, in the format of Steelpin"),
      ("steelpin pin import Pins.kt zone.db --allow-loss", "several files as one"),
      ("steelpin pin import res/xml/network_security_config.xml", "to standard output"),
    ],
    options: [.from, .allowLoss, .outputFile, .force, .verbose, .color],
    statuses: [.success, .usage, .badData, .inputMissing, .wouldOverwrite, .inputOutput, .configuration]
  ) { (invocation: Invocation) async throws(CommandError) in
    try PinExport.run(invocation, to: "steelpin")
  }
}

/// One run of `pin export` or `pin import`.
enum PinExport {
  /// The names of the formats that can be written.
  static let writable = PinConfigurationFormats.all.filter(\.isWritable).map(\.name)

  static func run(_ invocation: Invocation, to name: String) throws(CommandError) -> ExitCode {
    let arguments = invocation.arguments
    guard !arguments.operands.isEmpty else {
      throw .usage("there is no file to convert", hint: "steelpin pin export steelpin.json --to android")
    }
    guard let format = PinConfigurationFormats.named(name), format.isWritable else {
      throw .usage("pins cannot be written as '\(name)'", hint: "--to is one of \(writable.joined(separator: ", "))")
    }
    let read = try PinConfigurationInputs.read(arguments.operands, from: arguments.value(.from))
    try PinConfigurationInputs.refuseErrors(in: read)
    guard let result = PinConfigurationExport(read, to: format) else {
      throw .usage("pins cannot be written as '\(name)'")
    }
    let losses = result.losses
    for loss in losses {
      let place = loss.position.map { "\($0): " } ?? ""
      invocation.printer.note("loss: \(place)\(loss.message) [\(loss.code.rawValue)]")
    }
    guard losses.isEmpty || arguments.has(.allowLoss) else {
      throw CommandError(
        .badData, code: "conversion-loss",
        losses.count == 1 ? "something would be lost" : "\(losses.count) things would be lost",
        hint: "--allow-loss writes the result all the same")
    }
    guard let file = arguments.value(.outputFile), file != "-" else {
      try invocation.printer.result(text: result.text)
      return .success
    }
    do throws(LoadError) {
      try AtomicFile.write(Array(result.text.utf8), to: file, mayReplace: arguments.has(.force))
    } catch {
      throw CommandError(error)
    }
    return .success
  }
}

extension PinConfigurationFormat {
  /// Whether configurations can be written in the format.
  fileprivate var isWritable: Bool { write(PinConfiguration(format: name, file: "", entries: [])) != nil }
}
