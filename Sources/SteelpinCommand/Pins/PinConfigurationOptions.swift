// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// The options about pin configurations.
extension Option {
  static let allowLoss = Option(flag: "allow-loss", "write the result though it says less than the input")
  static let chain = Option(
    "chain", "FILE", completion: .file, "use the chain of FILE, leaf first, instead of connecting to servers")
  static let config = Option(
    "config", "FILE", repeatable: true, completion: .file,
    "check what FILE demands, under the rules of its own format: a pin configuration or a folder of certificates")
  static let format = Option(
    "format", "FORMAT[=FILE]", repeatable: true, completion: .suggested(LintReporter.all.map(\.name)),
    formatHelp)
  static let formatHelp = "write the result in this format, to FILE if one is given"
  static let from = Option(
    "from", oneOf: PinConfigurationFormats.all.map(\.name), "the format of the files (default: by their content)")
  static let held = Option(
    "held", "FILE", repeatable: true, completion: .file,
    "a key's request, public key or certificate that you hold, to prove backup pins")
  static let key = Option(
    "key-type", oneOf: ["ed25519", "p-256", "p-384", "rsa-2048", "rsa-3072"], "the kind of the new key (default: p-256)"
  )
  static let live = Option(
    flag: "live", "connect to each host, too, and compare its pins with the chain that is served there now")
  static let outputPrefix = Option(
    "output", "PREFIX", completion: .file, "write PREFIX.key and PREFIX.csr, also -o PREFIX (default: the first host)")
  static let toPins = Option("to", oneOf: PinExport.writable, "the format to write")
  static let next = Option(
    "next", "FILE", completion: .file,
    "rehearse a rotation: would the pins hold with the key of this certificate, request or public key?")
}

/// The pin configurations that a command line names.
enum PinConfigurationInputs {
  /// Every configuration of the files, in order.
  static func read(_ paths: [String], from format: String?) throws(CommandError) -> [PinConfiguration] {
    var configurations: [PinConfiguration] = []
    for path in paths {
      do throws(ConfigurationError) {
        let source = try ConfigurationSource(path: path, files: LocalFiles())
        configurations += try PinConfigurationFormats.read(
          source, as: format.flatMap { PinConfigurationFormats.named($0) })
      } catch {
        throw CommandError(error)
      }
    }
    return configurations
  }

  /// Throws what stands in the way of judging by the configurations: nothing can be done with them before it is mended.
  static func refuseErrors(in configurations: [PinConfiguration]) throws(CommandError) {
    guard let first = configurations.lazy.compactMap(\.obstacle).first else { return }
    let errors = configurations.flatMap(\.findings).filter { $0.severity == .error }
    throw CommandError(
      .configuration, code: first.code.rawValue, "\(first.position): \(first.message)",
      hint: errors.count <= 1 ? first.hint : "\(first.hint); 'steelpin pin lint' lists all \(errors.count) errors")
  }
}

extension CommandError {
  /// A pin configuration that could not be read.
  init(_ error: ConfigurationError) {
    self.init(
      [.fileEmpty, .fileUnreadable].contains(error.code) ? .inputMissing : .badData,
      code: "configuration-\(error.code.rawValue)",
      "\(error.position): \(error.message)", hint: error.hint)
  }
}
