// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// `--preset` with what it takes from other options.
enum PresetOptions {
  /// Options that say what a preset says itself.
  private static let replaced: [Option] = [
    .allPaths, .anyHost, .noDomain, .pinScope, .profile, .revocation, .revocationFail,
  ]

  /// What the system that `--preset` names demands; nil without the option.
  static func source(
    _ arguments: ParsedArguments, anchors: TrustPolicy.Anchors, _ inputs: Inputs
  ) throws(CommandError) -> (any PolicySource)? {
    guard let text = arguments.value(.preset) else { return nil }
    for option in replaced where arguments.has(option) {
      throw .usage("--preset and --\(option.name) cannot be combined", hint: "the preset decides that")
    }
    let (preset, flags) = try parse(text)
    for (option, material) in [(Option.pin, NamedPreset.Material.pins), (.pinCert, .certificates)]
    where arguments.has(option) && preset.material != material {
      throw .usage("--preset \(preset.name) does not take --\(option.name)", hint: hint(preset.material))
    }
    var given = NamedPreset.Inputs(anchors: anchors)
    if arguments.has(.pin) { given.pins = PinSet(try PinOptions.pins(arguments.values(.pin), inputs: inputs)) }
    if arguments.has(.pinCert) { given.certificates = try inputs.certificates(ofAll: arguments.values(.pinCert)) }
    return preset.source(given, flags: flags)
  }

  private static func parse(
    _ text: String
  ) throws(CommandError) -> (preset: NamedPreset, flags: Set<String>) {
    do throws(PresetError) {
      return try NamedPreset.parse(text)
    } catch {
      let near = NearestWord.to(error.text, among: error.known)
      let known = error.known.isEmpty ? "it has none" : "it is one of \(error.known.joined(separator: ", "))"
      throw .usage("--preset: \(error)", hint: near.map { "did you mean \($0)?" } ?? known)
    }
  }

  private static func hint(_ material: NamedPreset.Material) -> String {
    switch material {
    case .certificates: "it takes --pin-cert"
    case .none: "it has no pins"
    case .pins: "it takes --pin"
    }
  }
}
