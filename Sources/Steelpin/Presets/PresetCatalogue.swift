// SPDX-License-Identifier: Apache-2.0

extension NamedPreset {
  /// Every preset, sorted by name.
  public static let all: [NamedPreset] = (appleSystems + libraries + platforms).sorted { $0.name < $1.name }

  private static let appleSystems: [NamedPreset] = [
    NamedPreset(
      "security-basic-x509", "SecPolicyCreateBasicX509", omissions: "host, purpose, pins", .none
    ) { inputs, _ in TrustPolicy(anchors: inputs.anchors, domain: .basicX509, profile: .apple) },
    NamedPreset("security-ssl", "SecPolicyCreateSSL(true, host)", omissions: "pins", .none) { inputs, _ in
      TrustPolicy(anchors: inputs.anchors, profile: .apple)
    },
    NamedPreset(
      "security-ssl-any-host", "SecPolicyCreateSSL(true, nil)", omissions: "host, pins", .none
    ) { inputs, _ in TrustPolicy(anchors: inputs.anchors, domain: .sslAnyHost, profile: .apple) },
    NamedPreset(
      "nspinneddomains", "NSPinnedDomains of Info.plist", omissions: "nothing, for hosts that are listed",
      flags: ["ca"], .pins
    ) { inputs, flags in
      ForEachHost { host in
        let isCA = flags.contains("ca")
        let domain = PinnedDomainsPreset.Domain(
          leafIdentities: isCA ? nil : inputs.pins, caIdentities: isCA ? inputs.pins : nil)
        return PinnedDomainsPreset([host: domain], anchors: inputs.anchors)
      }
    },
  ]

  private static let libraries: [NamedPreset] =
    [
      ("afnetworking-certificate", .certificate, "AFSSLPinningModeCertificate"),
      ("afnetworking-none", .none, "AFSSLPinningModeNone"),
      ("afnetworking-public-key", .publicKey, "AFSSLPinningModePublicKey"),
    ].map { (name: String, mode: AFNetworkingPreset.PinningMode, title: String) in
      NamedPreset(
        name, "AFNetworking, \(title)",
        omissions: "with allow-invalid chain, dates and host unless certificates are pinned; with no-domain the host",
        flags: ["allow-invalid", "no-domain"], mode == .none ? .none : .certificates
      ) { inputs, flags in
        AFNetworkingPreset(
          mode: mode, allowInvalidCertificates: flags.contains("allow-invalid"),
          validatesDomainName: !flags.contains("no-domain"), pinnedCertificates: inputs.certificates,
          anchors: inputs.anchors)
      }
    } + [
      NamedPreset(
        "alamofire-certificates", "Alamofire's PinnedCertificatesTrustEvaluator",
        omissions: "with any-host the host; with no-default as well chain and dates",
        flags: ["accept-self-signed", "any-host", "no-default"], .certificates
      ) { inputs, flags in
        AlamofirePreset(
          .pinnedCertificates(
            inputs.certificates, acceptSelfSigned: flags.contains("accept-self-signed"),
            performDefaultValidation: !flags.contains("no-default"), validateHost: !flags.contains("any-host")),
          anchors: inputs.anchors)
      },
      NamedPreset(
        "alamofire-default", "Alamofire's DefaultTrustEvaluator", omissions: "pins; with any-host the host",
        flags: ["any-host"], .none
      ) { inputs, flags in
        AlamofirePreset(.default(validateHost: !flags.contains("any-host")), anchors: inputs.anchors)
      },
      NamedPreset("alamofire-disabled", "Alamofire's DisabledTrustEvaluator", omissions: "everything", .none) {
        inputs, _ in AlamofirePreset(.disabled, anchors: inputs.anchors)
      },
      NamedPreset(
        "alamofire-public-keys", "Alamofire's PublicKeysTrustEvaluator",
        omissions: "with any-host the host; with no-default as well chain and dates",
        flags: ["any-host", "no-default"], .certificates
      ) { inputs, flags in
        AlamofirePreset(
          .publicKeys(
            of: inputs.certificates, performDefaultValidation: !flags.contains("no-default"),
            validateHost: !flags.contains("any-host")),
          anchors: inputs.anchors)
      },
      NamedPreset(
        "alamofire-revocation", "Alamofire's RevocationTrustEvaluator, with what is at hand",
        omissions: "pins; with any-host the host; missing answers unless positive",
        flags: ["any-host", "no-default", "positive"], .none
      ) { inputs, flags in
        AlamofirePreset(
          .revocation(
            performDefaultValidation: !flags.contains("no-default"), validateHost: !flags.contains("any-host"),
            .apple(networkAccessDisabled: true, requirePositiveResponse: flags.contains("positive"))),
          anchors: inputs.anchors)
      },
      NamedPreset(
        "pitaya", "Pitaya's comparison of the leaf", omissions: "chain, dates, host and purpose", .certificates
      ) { inputs, _ in PitayaPreset(inputs.certificates.map(\.der), anchors: inputs.anchors) },
      NamedPreset(
        "trustkit", "TrustKit for iOS", omissions: "with report-only the pins", flags: ["report-only"], .pins
      ) { inputs, flags in
        ForEachHost { host in
          TrustKitPreset(
            [host: .init(publicKeyHashes: inputs.pins ?? PinSet([]), enforcePinning: !flags.contains("report-only"))],
            anchors: inputs.anchors)
        }
      },
    ]

  private static let platforms: [NamedPreset] = [
    NamedPreset(
      "android", "Android's network security configuration", omissions: "pins, if the set is empty", .pins
    ) { inputs, _ in
      let sources: [AndroidPreset.TrustSource] =
        switch inputs.anchors {
        case .only(let own): [.init(own)]
        case .system: [.init()]
        case .systemAnd(let own): [.init(), .init(own)]
        }
      return AndroidPreset(base: .init(sources: sources, pins: inputs.pins ?? PinSet([])))
    },
    NamedPreset(
      "curl", "curl with OpenSSL", omissions: "with insecure everything but the leaf's pin", flags: ["insecure"], .pins
    ) { inputs, flags in
      CurlPreset(
        anchors: inputs.anchors, isInsecure: flags.contains("insecure"), pinnedPublicKeys: inputs.pins)
    },
    NamedPreset("okhttp", "OkHttp's CertificatePinner", omissions: "nothing, for hosts with pins", .pins) { inputs, _ in
      ForEachHost { host in
        OkHttpPreset((inputs.pins?.pins ?? []).map { (HostPattern(host), $0) }, anchors: inputs.anchors)
      }
    },
  ]
}

/// A system with a table of hosts, in which the host that is evaluated is the one entry.
private struct ForEachHost<Source: PolicySource>: PolicySource {
  let source: @Sendable (HostName) -> Source

  func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    guard let host else { return .refuse(.host) }
    return source(host).policy(for: host, at: time)
  }
}
