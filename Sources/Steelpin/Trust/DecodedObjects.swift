// SPDX-License-Identifier: Apache-2.0

/// Something that a library decoded from bytes of ours, to be used by any thread.
package protocol DecodedObject: Sendable {
  /// What it is decoded from.
  associatedtype Source: Hashable & Sendable

  /// Decodes it, or says why the library refuses the bytes.
  static func decode(_ source: Source) throws(DecodingRefusal) -> Self
}

/// Why a library did not decode something, in its own words.
package struct DecodingRefusal: Error {
  package let codes: [NativeCode]

  package init(codes: [NativeCode]) { self.codes = codes }
}

/// Certificates and keys that a library decoded before: decoding one can take longer than checking its signature.
///
/// Leaves are kept apart, so that many different ones do not drive out the few issuers that all of them need.
package struct DecodedObjects<CertificateObject: DecodedObject, KeyObject: DecodedObject>: Sendable
where CertificateObject.Source == Certificate, KeyObject.Source == PublicKeyInfo {
  private let leaves: BoundedCache<Certificate, CertificateObject>
  private let issuers = BoundedCache<Certificate, CertificateObject>(capacity: 256)
  private let keys = BoundedCache<PublicKeyInfo, KeyObject>(capacity: 256)

  /// Caches of which that of leaves holds at most twice that many.
  package init(leaves: Int) { self.leaves = BoundedCache(capacity: leaves) }

  /// The decoded certificate at a depth of a path.
  package func certificate(_ certificate: Certificate, depth: Int) throws(DecodingRefusal) -> CertificateObject {
    try Self.object(certificate, in: depth == 0 ? leaves : issuers)
  }

  /// The decoded certificates of a path.
  package func certificates(_ path: [Certificate]) throws(DecodingRefusal) -> [CertificateObject] {
    var objects: [CertificateObject] = []
    for (depth, certificate) in path.enumerated() { objects.append(try self.certificate(certificate, depth: depth)) }
    return objects
  }

  /// The decoded key.
  package func key(_ key: PublicKeyInfo) throws(DecodingRefusal) -> KeyObject { try Self.object(key, in: keys) }

  private static func object<Object: DecodedObject>(
    _ source: Object.Source, in cache: BoundedCache<Object.Source, Object>
  ) throws(DecodingRefusal) -> Object {
    if let known = cache[source] { return known }
    let decoded = try Object.decode(source)
    cache.insert(decoded, for: source)
    return decoded
  }
}
