// SPDX-License-Identifier: Apache-2.0

/// Values by host pattern. A look-up costs a few hash look-ups for each label of the host, however many entries there
/// are.
public struct HostMap<Value: Sendable>: Sendable {
  private var values: [HostPattern: Value]

  /// A map without entries.
  public init() { self.values = [:] }

  /// A map of entries; of two with the same pattern the later counts.
  public init(_ entries: some Sequence<(HostPattern, Value)>) {
    self.values = Dictionary(entries) { _, later in later }
  }

  /// The entries in the order of their patterns' text.
  public var entries: [(pattern: HostPattern, value: Value)] {
    values.map { (pattern: $0.key, value: $0.value) }.sorted { $0.pattern.description < $1.pattern.description }
  }

  /// The number of entries.
  public var count: Int { values.count }

  /// The value of exactly this pattern; nil if there is none.
  public subscript(pattern: HostPattern) -> Value? {
    get { values[pattern] }
    set { values[pattern] = newValue }
  }

  /// The most specific entry that the host meets: an exact one, else that of the longest domain, where one label goes
  /// before any depth. Nil if it meets none.
  public func match(_ host: HostName) -> (pattern: HostPattern, value: Value)? {
    for pattern in host.patterns {
      if let value = values[pattern] { return (pattern, value) }
    }
    return nil
  }

  /// All entries that the host meets, the most specific first.
  public func matches(_ host: HostName) -> [(pattern: HostPattern, value: Value)] {
    host.patterns.compactMap { pattern in values[pattern].map { (pattern, $0) } }
  }
}

extension HostMap: Equatable where Value: Equatable {}
extension HostMap: Hashable where Value: Hashable {}

extension HostMap: Codable where Value: Codable {
  /// Decodes an object whose keys are patterns. Throws if a key is none, or if two are spellings of the same pattern.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init()
    for (text, value) in try container.decode([String: Value].self) {
      let pattern: HostPattern
      do throws(HostNameError) {
        pattern = try HostPattern(parsing: text)
      } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
      }
      guard values.updateValue(value, forKey: pattern) == nil else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "the host \(pattern) is given twice")
      }
    }
  }

  /// Encodes an object whose keys are patterns.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(uniqueKeysWithValues: values.map { ($0.key.description, $0.value) }))
  }
}
