// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFetch
internal import SteelpinFormats

/// Whether and by what a command line wants revocation to be judged.
struct RevocationOptions: Sendable {
  let policy: RevocationPolicy
  private let evidence: RevocationEvidence

  /// `--crl` alone means `--revocation crl`.
  init(_ arguments: ParsedArguments, _ inputs: Inputs) throws(CommandError) {
    let files = arguments.values(.crl)
    let mode = arguments.value(.revocation).flatMap(RevocationPolicy.Mode.init) ?? (files.isEmpty ? .off : .crl)
    let failure = arguments.value(.revocationFail).flatMap(RevocationPolicy.Failure.init)
    if mode == .off {
      guard files.isEmpty else { throw .usage("--crl and --revocation off cannot be combined") }
      guard failure == nil else {
        throw .usage("--revocation-fail needs --revocation", hint: "as in --revocation online --revocation-fail hard")
      }
    }
    guard files.isEmpty || mode != .staple else {
      throw .usage("--crl and --revocation staple cannot be combined", hint: "--revocation crl looks at both")
    }
    self.policy = RevocationPolicy(mode, failure: failure ?? .soft)
    var evidence = RevocationEvidence()
    for name in files { try Self.add(inputs.file(name), to: &evidence) }
    if mode == .online {
      evidence.fetcher = HTTPRevocationFetcher()
      evidence.nonce = RevocationEvidence.makeNonce()
    }
    self.evidence = evidence
  }

  /// The chain with what is at hand beside what came with it.
  func addingEvidence(to chain: CertificateChain) -> CertificateChain {
    var chain = chain
    var evidence = evidence
    evidence.staple = chain.evidence.staple
    chain.evidence = evidence
    return chain
  }

  private static func add(_ file: LoadedFile, to evidence: inout RevocationEvidence) throws(CommandError) {
    let holdsEvidence: Bool
    do throws(UnreadableEvidence) {
      holdsEvidence = try evidence.add(file)
    } catch {
      throw CommandError(
        .badData, code: FindingCode.crlMalformed.rawValue, error.message, hint: "get the list again from its issuer")
    }
    guard holdsEvidence else {
      throw CommandError(
        .badData, code: FindingCode.crlMalformed.rawValue,
        "\(file.name): holds neither a revocation list nor an OCSP response",
        hint: "--crl takes what 'openssl crl' or 'openssl ocsp -respout' writes, PEM or DER")
    }
  }
}
