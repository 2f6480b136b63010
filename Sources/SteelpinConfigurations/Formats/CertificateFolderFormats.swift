// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

/// The certificates that Alamofire finds in a bundle, pinned by `PinnedCertificatesTrustEvaluator` with its defaults.
struct AlamofireFormat: PinConfigurationFormat {
  let name = "alamofire"
  let summary = "a folder of certificates as Alamofire's PinnedCertificatesTrustEvaluator reads it"
  let capabilities = CertificateFolder.capabilities

  func recognizes(_ source: ConfigurationSource) -> Bool { CertificateFolder.recognizes(source, endings: Self.endings) }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    CertificateFolder.read(source, format: name, endings: Self.endings)
  }

  /// Default validation with the host, then one certificate of the evaluated chain must be one of the folder's.
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    guard let entry = configuration.entries.first, !entry.pins.isEmpty else {
      return HostRequirement(.blocked, "there is no certificate, so Alamofire throws noCertificatesFound")
    }
    return pinned(
      entry, "a certificate of the chain must be one of the folder's", chain: chain, context, profile: .apple)
  }

  func write(_ configuration: PinConfiguration) -> String? { nil }

  private static let endings = [".CER", ".CRT", ".DER", ".cer", ".crt", ".der"]
}

/// The certificates that AFNetworking finds in a bundle, pinned in its mode Certificate with its defaults.
struct AFNetworkingFormat: PinConfigurationFormat {
  let name = "afnetworking"
  let summary = "a folder of certificates as AFNetworking's AFSSLPinningModeCertificate reads it"
  let capabilities = CertificateFolder.capabilities

  /// A folder is taken for Alamofire's unless this format is named: nothing in it tells them apart.
  func recognizes(_ source: ConfigurationSource) -> Bool { false }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    CertificateFolder.read(source, format: name, endings: [".cer"])
  }

  /// The chain must be valid for the system's anchors, and again with the pins as the only anchors, and a certificate
  /// of that chain must be a pin (AFSecurityPolicy.m).
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    guard let entry = configuration.entries.first, !entry.pins.isEmpty else {
      return HostRequirement(.blocked, "there is no .cer file, and AFNetworking refuses every server then")
    }
    let certificates = entry.pins.compactMap { pin -> Certificate? in
      guard case .whole(.certificate, let der) = pin.value else { return nil }
      return try? Certificate(der: der)
    }
    let policies = [
      TrustPolicy(anchors: context.anchors, profile: .apple, time: context.time),
      TrustPolicy(
        anchors: .only(AnchorSet(certificates)), pinning: .certificates(certificates, scope: .any), profile: .apple,
        time: context.time),
    ]
    return HostRequirement(
      .pinned, "the chain must be valid for the system, and with the folder's certificates as the only anchors",
      alternatives: [policies], entries: [entry])
  }

  func write(_ configuration: PinConfiguration) -> String? { nil }
}

/// What the two formats share.
private enum CertificateFolder {
  static let capabilities = FormatCapabilities(certificateHashes: true, publicKeyHashes: false, hosts: false)

  static func recognizes(_ source: ConfigurationSource, endings: [String]) -> Bool {
    source.entries?.contains { name in endings.contains { name.hasSuffix($0) } } == true
  }

  /// Apple's SecCertificateCreateWithData takes DER only, and the libraries drop what it does not take.
  static func read(_ source: ConfigurationSource, format: String, endings: [String]) -> PinConfiguration {
    var session = ReadingSession(file: source.path)
    var entry = HostEntry(.everyHost, text: "every host", position: source.start)
    entry.lists = [.any]
    for name in source.entries ?? [] where endings.contains(where: { name.hasSuffix($0) }) {
      let path = source.sibling(name)
      let position = SourcePosition(file: path, line: 1, column: 1)
      do throws(ConfigurationError) {
        let bytes = try source.files.read(path)
        if let certificate = try? Certificate(der: bytes) {
          entry.pins.append(
            ConfiguredPin(.whole(.certificate, certificate.der), text: name, name: name, position: position))
        } else {
          let isPEM = (try? CertificateLoader().load(bytes, name: path)) != nil
          session.warning(
            .certificateUnreadable, position,
            isPEM
              ? "'\(name)' is not DER, so it is dropped without a word" : "'\(name)' is no certificate, and is dropped",
            hint: isPEM ? "write it with 'openssl x509 -outform der'" : "remove it")
        }
      } catch {
        session.warning(.certificateUnreadable, position, error.message, hint: "make the file readable")
      }
    }
    if entry.pins.isEmpty {
      session.error(
        .pinListEmpty, source.start, "the folder has no certificate that is read, so every server is refused",
        hint: "add a certificate as DER: \(endings.joined(separator: ", "))")
    }
    return PinConfiguration(format: format, file: source.path, entries: [entry], findings: session.findings)
  }
}
