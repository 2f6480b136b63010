// SPDX-License-Identifier: Apache-2.0
package import Steelpin

extension RevocationEvidence {
  /// Adds the revocation lists and OCSP responses of a file, and its certificates as possible signers of lists. False if
  /// it holds neither a list nor a response. Throws ``UnreadableEvidence`` for a list that is damaged.
  package mutating func add(_ file: LoadedFile) throws(UnreadableEvidence) -> Bool {
    let before = lists.count + ocspResponses.count
    for item in file.others {
      switch item.kind {
      case .ocspResponse: ocspResponses.append(item.evidence)
      case .revocationList:
        do throws(RevocationEvidenceError) {
          lists.append(try CertificateRevocationList(der: item.evidence))
        } catch {
          throw UnreadableEvidence(message: "\(item.place): \(error)")
        }
      default: continue
      }
    }
    certificates += file.certificates.map(\.certificate)
    return lists.count + ocspResponses.count > before
  }
}

/// A revocation list that is damaged: where and how.
package struct UnreadableEvidence: Error {
  package let message: String
}
