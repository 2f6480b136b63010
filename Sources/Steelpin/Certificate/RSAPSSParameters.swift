// SPDX-License-Identifier: Apache-2.0

/// The parameters of RSASSA-PSS (RFC 4055 3.1), with its defaults where a field is missing.
package struct RSAPSSParameters: Hashable, Sendable {
  /// The hash of the message.
  package let hash: OID
  /// The hash inside MGF1.
  package let maskHash: OID
  /// Octets of salt.
  package let saltLength: Int

  /// Reads the parameters of an AlgorithmIdentifier of RSASSA-PSS; absent parameters are all defaults.
  ///
  /// Returns nil for anything that no implementation supports: another mask generation function, a trailer other than
  /// 1, a negative or enormous salt.
  package init?(_ algorithm: AlgorithmIdentifier) {
    var (hash, maskHash, saltLength) = (OID.sha1, OID.sha1, 20)
    if !algorithm.parameters.isEmpty {
      do {
        var fields = try DERReader.single(algorithm.parameters, .sequence).reader()
        if let field = try fields.readIfPresent(.context(0, constructed: true)) {
          hash = try Self.algorithm(field.content).algorithm
        }
        if let field = try fields.readIfPresent(.context(1, constructed: true)) {
          let mask = try Self.algorithm(field.content)
          guard mask.algorithm == .mgf1 else { return nil }
          maskHash = try Self.algorithm(mask.parameters).algorithm
        }
        if let field = try fields.readIfPresent(.context(2, constructed: true)) {
          saltLength = try DERReader.single(field.content, .integer).smallInteger()
        }
        if let field = try fields.readIfPresent(.context(3, constructed: true)) {
          guard try DERReader.single(field.content, .integer).smallInteger() == 1 else { return nil }
        }
        try fields.finish()
      } catch { return nil }
    }
    guard 0...4096 ~= saltLength else { return nil }
    self.hash = hash
    self.maskHash = maskHash
    self.saltLength = saltLength
  }

  private static func algorithm(_ der: ArraySlice<UInt8>) throws(DERError) -> AlgorithmIdentifier {
    try AlgorithmIdentifier(DERReader.single(der, .sequence))
  }
}
