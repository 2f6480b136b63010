// SPDX-License-Identifier: Apache-2.0

/// What the certificates' own URLs give, under a policy that is online.
extension RevocationChecker {
  /// Asks the responders that a certificate names, and then fetches its lists.
  mutating func fetchStatus(_ path: [Certificate], _ depth: Int) throws(BackendError) -> RevocationAnswer {
    guard evidence.fetcher != nil else {
      note(.revocationUnavailable, "nothing may be fetched: there is no one to fetch it")
      return .undetermined
    }
    let certificate = path[depth]
    let request = OCSPRequest(for: certificate, issuedBy: path[depth + 1], nonce: evidence.nonce)
    let demand: NonceDemand =
      evidence.nonce.isEmpty ? .none : .repeats(evidence.nonce, mayLeaveOut: !policy.requiresNonce)
    for url in certificate.responderURLs {
      guard let der = fetch(.ocsp(url: url, request: request.der)) else { continue }
      let source = "the responder \(PrintableText.escape(url))"
      let answer = try judge(response: der, path, depth, source: source, nonce: demand)
      if answer != .undetermined { return answer }
    }
    return try judgeLists(evidence.lists + fetchLists(certificate), path, depth)
  }

  /// The lists that a certificate names, and the deltas that it or they name.
  private mutating func fetchLists(_ certificate: Certificate) -> [CertificateRevocationList] {
    let points = certificate.decoded.crlDistributionPoints ?? []
    let complete = points.flatMap(\.urls).prefix(8).compactMap { fetchList($0) }
    let freshest = certificate.freshestPoints + complete.flatMap(\.contents.freshest)
    return complete + freshest.flatMap(\.urls).prefix(8).compactMap { fetchList($0) }
  }

  private mutating func fetchList(_ url: String) -> CertificateRevocationList? {
    if let known = fetchedLists[url] { return known }
    guard let der = fetch(.list(url: url)) else { return nil }
    do throws(RevocationEvidenceError) {
      let list = try CertificateRevocationList(der: der)
      fetchedLists[url] = list
      return list
    } catch {
      note(.crlMalformed, "the list at \(PrintableText.escape(url)) cannot be read: \(error)")
      return nil
    }
  }

  /// Sends each request once, and a bounded number of them; nil, with the reason noted, if there is no answer.
  private mutating func fetch(_ request: RevocationRequest) -> [UInt8]? {
    let result = fetched[request] ?? send(request)
    fetched[request] = result
    switch result {
    case .success(let bytes): return bytes
    case .failure(let error):
      note(.revocationUnavailable, "\(PrintableText.escape(request.url)): \(error)")
      return nil
    }
  }

  private func send(_ request: RevocationRequest) -> Result<[UInt8], RevocationFetchError> {
    guard let fetcher = evidence.fetcher, fetched.count < Self.maximumRequests else {
      return .failure(RevocationFetchError("too many requests for one evaluation"))
    }
    do throws(RevocationFetchError) {
      return .success(try fetcher.fetch(request))
    } catch {
      return .failure(error)
    }
  }
}

extension Certificate {
  /// The `http` and `https` URLs of its OCSP responders, a bounded number of them.
  fileprivate var responderURLs: ArraySlice<String> {
    (decoded.authorityInformationAccess ?? []).filter { $0.method == .ocsp }.compactMap(\.location.webURL).prefix(4)
  }

  /// Where deltas to the lists that cover it are found (freshestCRL, RFC 5280 4.2.1.15); empty if malformed.
  fileprivate var freshestPoints: [DistributionPoint] {
    guard let item = extensions.first(where: { $0.identifier == .freshestCRL }),
      let element = try? DERReader.single(item.value, .sequence)
    else { return [] }
    return (try? DistributionPoint.list(element)) ?? []
  }
}
