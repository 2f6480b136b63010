// SPDX-License-Identifier: Apache-2.0

/// An emulation of another system under a name, as `--preset` takes it: `NAME`, or `NAME+FLAG+FLAG`.
public struct NamedPreset: Sendable {
  /// What is pinned with a preset.
  public enum Material: String, Sendable, Hashable, CaseIterable {
    /// Whole certificates, or the keys of certificates.
    case certificates
    /// Nothing.
    case none
    /// Pins of keys.
    case pins
  }

  /// What a command line or a suite brings to a preset.
  public struct Inputs: Sendable {
    /// The anchors of the system that is emulated.
    public var anchors: TrustPolicy.Anchors
    /// The pinned certificates, if the material is certificates.
    public var certificates: [Certificate]
    /// The pins, if the material is pins; nil if none were given.
    public var pins: PinSet?

    /// Inputs; by default nothing is pinned.
    public init(
      anchors: TrustPolicy.Anchors = .system, certificates: [Certificate] = [], pins: PinSet? = nil
    ) {
      self.anchors = anchors
      self.certificates = certificates
      self.pins = pins
    }
  }

  /// The name.
  public let name: String
  /// What is emulated, in one line.
  public let summary: String
  /// What the system does not check, in one line.
  public let omissions: String
  /// The flags that may follow the name.
  public let flags: [String]
  /// What is pinned.
  public let material: Material
  private let make: @Sendable (Inputs, Set<String>) -> any PolicySource

  init(
    _ name: String, _ summary: String, omissions: String, flags: [String] = [], _ material: Material,
    make: @escaping @Sendable (Inputs, Set<String>) -> any PolicySource
  ) {
    self.name = name
    self.summary = summary
    self.omissions = omissions
    self.flags = flags
    self.material = material
    self.make = make
  }

  /// The preset that a text names, and its flags. Throws ``PresetError`` for a name or a flag that there is not.
  public static func parse(_ text: String) throws(PresetError) -> (preset: NamedPreset, flags: Set<String>) {
    let words = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    guard let preset = all.first(where: { $0.name == words[0] }) else {
      throw PresetError(text: words[0], known: all.map(\.name), preset: nil)
    }
    for flag in words.dropFirst() where !preset.flags.contains(flag) {
      throw PresetError(text: flag, known: preset.flags, preset: preset.name)
    }
    return (preset, Set(words.dropFirst()))
  }

  /// What the system demands with the given inputs and flags.
  public func source(_ inputs: Inputs = Inputs(), flags: Set<String> = []) -> any PolicySource { make(inputs, flags) }
}

/// A name of a preset, or of one of its flags, that there is not.
public struct PresetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was given.
  public let text: String
  /// What there is instead.
  public let known: [String]
  /// The preset that does not have the flag; nil if the preset itself is unknown.
  public let preset: String?

  /// What is wrong, in words.
  public var description: String {
    preset.map { "the preset \($0) has no flag '\(text)'" } ?? "there is no preset '\(text)'"
  }
}
