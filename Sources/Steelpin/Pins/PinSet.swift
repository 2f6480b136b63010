// SPDX-License-Identifier: Apache-2.0

/// A set of pins of which one is enough.
public struct PinSet: Hashable, Sendable {
  /// The pins in the order in which they were configured, each once.
  public let pins: [Pin]
  private let publicKeys: Set<SHA256Digest>
  private let certificates: Set<SHA256Digest>

  /// A set of pins; duplicates count once. An empty set is met by nothing.
  public init(_ pins: some Sequence<Pin>) {
    var seen = Set<Pin>()
    self.pins = pins.filter { seen.insert($0).inserted }
    self.publicKeys = Set(self.pins.lazy.filter { $0.subject == .publicKey }.map(\.digest))
    self.certificates = Set(self.pins.lazy.filter { $0.subject == .certificate }.map(\.digest))
  }

  /// Whether there is no pin, which is a mistake and never means "no pinning".
  public var isEmpty: Bool { pins.isEmpty }

  /// The pin that the certificate meets; nil if it meets none.
  public func match(for certificate: Certificate) -> Pin? {
    if !publicKeys.isEmpty, publicKeys.contains(certificate.publicKeySHA256) {
      return Pin(.publicKey, certificate.publicKeySHA256)
    }
    if !certificates.isEmpty, certificates.contains(certificate.sha256) {
      return Pin(.certificate, certificate.sha256)
    }
    return nil
  }
}

extension PinSet: Codable {
  /// Decodes a list of pins.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Pin].self))
  }

  /// Encodes a list of pins.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(pins)
  }
}
