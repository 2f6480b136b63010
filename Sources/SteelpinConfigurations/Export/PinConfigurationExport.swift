// SPDX-License-Identifier: Apache-2.0

/// Converts configurations.
public struct PinConfigurationExport: Sendable {
  /// The configuration in the other format.
  public let text: String
  /// What is lost, in the order of the files, each once.
  public let losses: [ConversionLoss]

  /// The configurations together in one format; nil if the format is only read.
  ///
  /// The result is read back, and what it demands of every host that is named is compared with what the configurations
  /// demand, each under the rules of its own format.
  public init?(_ configurations: [PinConfiguration], to format: any PinConfigurationFormat) {
    var merged = PinConfiguration(format: format.name, file: "", entries: [])
    // Where every entry that is for a host counts, each says what it says by itself.
    let sources = format.capabilities.unitesEntries ? configurations : configurations.map(\.withInheritedPins)
    let isAlone = configurations.count == 1
    merged.entries = PinConfiguration.merged(
      sources.flatMap { source in
        source.entries.map { entry in
          // The anchors of one file are not those of the hosts of another.
          var entry = entry
          if !isAlone { entry.anchors = entry.anchors ?? source.anchors }
          return entry
        }
      })
    merged.anchors = isAlone ? configurations.first?.anchors : nil
    merged.refusesUnknownHosts = configurations.allSatisfy(\.refusesUnknownHosts)
    guard let text = format.write(merged) else { return nil }
    var losses = configurations.flatMap { LossReport.losses(of: $0, to: format) }
    if !merged.refusesUnknownHosts, configurations.contains(where: \.refusesUnknownHosts) {
      losses.append(LossReport.unknownHosts)
    }
    if merged.entries.contains(where: { $0.pattern.name != nil }), format.capabilities.hosts {
      losses += Self.differences(configurations, text, format)
    }
    var seen = Set<ConversionLoss>()
    self.text = text
    self.losses = losses.filter { seen.insert($0).inserted }
  }

  private static func differences(
    _ configurations: [PinConfiguration], _ text: String, _ format: any PinConfigurationFormat
  ) -> [ConversionLoss] {
    let written: PinConfiguration
    do throws(ConfigurationError) {
      written = try format.read(ConfigurationSource(path: "", bytes: Array(text.utf8), files: MemoryFiles()))
    } catch {
      // What cannot be read back, since there is nothing in it or too much, cannot be compared.
      return [ConversionLoss(code: .hostDemand, position: nil, message: "the result cannot be used: \(error.message)")]
    }
    return configurations.flatMap { configuration in
      let explained = configuration.entries.indices.filter { place in
        LossReport.losses(of: configuration.entries[place], to: format, from: configuration.format)
          .contains { changesPins.contains($0.code) }
      }
      return DemandComparison(
        configuration, written, explained: Set(explained), isAlone: configurations.count == 1
      ).losses()
    }
  }

  /// The losses that say themselves which pins count no longer, or more than before.
  private static let changesPins: Set<ConversionLoss.Code> = [
    .certificateHash, .exclusion, .host, .malformed, .pinAlgorithm, .port, .publicKeyHash, .reportOnly, .scope,
    .subdomains,
  ]
}
