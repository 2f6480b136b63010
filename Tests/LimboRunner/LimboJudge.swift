// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// What a backend said of a case.
struct LimboResult: Sendable {
  var isAccepted: Bool
  var codes: Set<String>
  /// The time that the case took, certificates and lists read.
  var milliseconds = 0.0
  /// The memory that it took beyond what was held before.
  var octets = 0
}

/// Judges cases with one backend.
struct LimboJudge {
  let backend: any TrustBackend

  /// Judges a case, and measures what that takes.
  func judge(_ test: LimboCase) -> LimboResult {
    let before = Memory.restart()
    let clock = ContinuousClock()
    let start = clock.now
    var result = decide(test)
    result.milliseconds = (clock.now - start).milliseconds
    result.octets = max(0, Memory.peak - before)
    return result
  }

  private func decide(_ test: LimboCase) -> LimboResult {
    var result = LimboResult(isAccepted: true, codes: [])
    let profiles = test.profiles
    if profiles.isEmpty { result.object("unknown-profile") }
    guard let leaf = PEMBlock.decode(test.peerCertificate) else { return result.objecting("certificate-malformed") }
    var chain = CertificateChain(der: [leaf] + test.untrustedIntermediates.compactMap(PEMBlock.decode))
    chain.evidence.lists = (test.crls ?? []).compactMap(PEMBlock.list)
    let anchors = AnchorSet(test.trustedCerts.compactMap(PEMBlock.certificate))
    var host: HostName?
    if let name = test.expectedPeerName {
      host = try? HostName(name.value)
      if host == nil { result.object("host-invalid") }
    }
    for profile in profiles {
      let policy = TrustPolicy(
        anchors: .only(anchors), domain: test.domain, profile: profile, certificatePolicies: test.policyInputs,
        revocation: test.revocation, time: test.validationTime.flatMap { Timestamp($0) })
      evaluate(chain, host: host, policy, test, &result)
    }
    if result.isAccepted, let leaf = chain.certificates.first { checkRequirements(test, leaf, &result) }
    return result
  }

  private func evaluate(
    _ chain: CertificateChain, host: HostName?, _ policy: TrustPolicy, _ test: LimboCase, _ result: inout LimboResult
  ) {
    do {
      guard let limit = test.maxChainDepth else {
        let verdict = try backend.evaluate(chain, host: host, policy: policy)
        for finding in verdict.errors { result.object(finding.code.rawValue) }
        return
      }
      // The suite counts intermediates that are not self-issued, as path lengths do.
      let verdict = try backend.evaluateAllPaths(chain, host: host, policy: policy)
      for finding in verdict.errors { result.object(finding.code.rawValue) }
      let isShort = verdict.attempts.contains { attempt in
        attempt.errors.isEmpty && attempt.path.dropFirst().dropLast().count { !$0.isSelfIssued } <= limit
      }
      if verdict.isTrusted, !isShort { result.object("max-chain-depth") }
    } catch {
      result.object("backend-error")
    }
  }

  /// What a case demands beside trust in a server: usages of the leaf's key, and names that are no hosts.
  private func checkRequirements(_ test: LimboCase, _ leaf: Certificate, _ result: inout LimboResult) {
    let usages = KeyUsage.names.filter { test.keyUsage?.contains($0.name) ?? false }.map(\.usage)
    if let usage = leaf.decoded.keyUsage, !usages.allSatisfy(usage.contains) { result.object("purpose-mismatch") }
    let purposes = (test.extendedKeyUsage ?? []).compactMap { Self.purposes[$0] }
    if let allowed = leaf.decoded.extendedKeyUsage, !allowed.contains(.anyExtendedKeyUsage),
      !purposes.allSatisfy(allowed.contains)
    {
      result.object("purpose-mismatch")
    }
    for name in test.validationKind == .client ? test.expectedPeerNames ?? [] : [] {
      let names = leaf.decoded.subjectAlternativeNames ?? []
      let isPresented =
        switch name.kind {
        case "RFC822": names.contains { $0 == .email(Array(name.value.utf8)[...]) }
        default: (try? HostName(name.value)).map { HostNameMatcher.matches($0, names) } ?? false
        }
      if !isPresented { result.object("host-mismatch") }
    }
  }

  private static let purposes: [String: OID] = [
    "clientAuth": .clientAuth, "codeSigning": .codeSigning, "emailProtection": .emailProtection,
    "OCSPSigning": .ocspSigning, "serverAuth": .serverAuth, "timeStamping": .timeStamping,
    "anyExtendedKeyUsage": .anyExtendedKeyUsage,
  ]
}

extension LimboResult {
  fileprivate mutating func object(_ code: String) {
    isAccepted = false
    codes.insert(code)
  }

  fileprivate func objecting(_ code: String) -> LimboResult {
    var copy = self
    copy.object(code)
    return copy
  }
}

extension LimboCase {
  /// Revocation counts where a case brings lists: what they do not cover is then not trusted.
  fileprivate var revocation: RevocationPolicy {
    (crls ?? []).isEmpty ? .off : RevocationPolicy(.crl, failure: .hard)
  }

  fileprivate var policyInputs: TrustPolicy.CertificatePolicies {
    TrustPolicy.CertificatePolicies(
      accepted: policy?.initialPolicySet.map { Set($0) }, requireExplicitPolicy: policy?.requireExplicitPolicy ?? false,
      inhibitPolicyMapping: policy?.inhibitPolicyMapping ?? false, inhibitAnyPolicy: policy?.inhibitAnyPolicy ?? false)
  }
}

extension Duration {
  fileprivate var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}
