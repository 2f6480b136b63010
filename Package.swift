// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The settings of every Swift target: warnings are errors, imports and existentials are explicit.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  .define("OpenSSL", .when(traits: ["OpenSSL"])),
  .define("GnuTLS", .when(traits: ["GnuTLS"])),
]

/// Targets that call no C are also checked for memory safety.
let strict = common + [.strictMemorySafety()]

let package = Package(
  name: "steelpin",
  products: [
    .library(name: "Steelpin", targets: ["Steelpin"]),
    .library(name: "SteelpinOpenSSL", targets: ["SteelpinOpenSSL"]),
    .library(name: "SteelpinGnuTLS", targets: ["SteelpinGnuTLS"]),
    .library(name: "SteelpinFormats", targets: ["SteelpinFormats"]),
    .library(name: "SteelpinFetch", targets: ["SteelpinFetch"]),
    .library(name: "SteelpinHTTP", targets: ["SteelpinHTTP"]),
    .library(name: "SteelpinConfigurations", targets: ["SteelpinConfigurations"]),
    .library(name: "SteelpinProbe", targets: ["SteelpinProbe"]),
    .library(name: "SteelpinMatrix", targets: ["SteelpinMatrix"]),
    .library(name: "steelpin-c", type: .dynamic, targets: ["SteelpinC"]),
    .library(name: "SteelpinTesting", targets: ["SteelpinTesting"]),
    .executable(name: "steelpin", targets: ["SteelpinTool"]),
  ],
  traits: [
    .trait(name: "OpenSSL", description: "Build the OpenSSL backend (libssl-dev)."),
    .trait(name: "GnuTLS", description: "Build the GnuTLS backend (libgnutls28-dev)."),
    .default(enabledTraits: ["OpenSSL", "GnuTLS"]),
  ],
  targets: [
    // C libraries, found through pkg-config.
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
    .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    // What the importer cannot see: macros, and callbacks without a user pointer.
    .target(
      name: "COpenSSLShims",
      dependencies: [.target(name: "COpenSSL", condition: .when(traits: ["OpenSSL"]))],
      cSettings: [.define("STEELPIN_OPENSSL", .when(traits: ["OpenSSL"]))]),
    .target(
      name: "CGnuTLSShims",
      dependencies: [.target(name: "CGnuTLS", condition: .when(traits: ["GnuTLS"]))],
      cSettings: [.define("STEELPIN_GNUTLS", .when(traits: ["GnuTLS"]))]),
    // Loads libcurl (libcurl4-openssl-dev) when it is first needed.
    .target(name: "CCURLShims"),
    // libcurl and libssl for SteelpinHTTP, which needs them whatever the traits: FoundationNetworking links them, too.
    .target(
      name: "CHTTPShims",
      linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto")]),

    .target(name: "Steelpin", dependencies: ["CIDN2", "CPSL"], swiftSettings: strict),
    .target(
      name: "SteelpinOpenSSL",
      dependencies: [
        "Steelpin", "COpenSSLShims", .target(name: "COpenSSL", condition: .when(traits: ["OpenSSL"])),
      ],
      swiftSettings: common),
    .target(
      name: "SteelpinGnuTLS",
      dependencies: ["Steelpin", "CGnuTLSShims", .target(name: "CGnuTLS", condition: .when(traits: ["GnuTLS"]))],
      swiftSettings: common),
    .target(name: "SteelpinFormats", dependencies: ["Steelpin"], swiftSettings: strict),
    .target(name: "SteelpinFetch", dependencies: ["Steelpin", "CCURLShims"], swiftSettings: common),
    .target(name: "SteelpinHTTP", dependencies: ["Steelpin", "CHTTPShims"], swiftSettings: common),
    .target(
      name: "SteelpinConfigurations", dependencies: ["Steelpin", "SteelpinFormats", "CExpat"], swiftSettings: strict),
    .target(name: "SteelpinProbe", dependencies: ["Steelpin"], swiftSettings: common),
    // The forms in which the command and the C library say what was found: JSON, and the explanation of every code.
    .target(name: "SteelpinReports", dependencies: ["Steelpin"], swiftSettings: strict),
    .target(
      name: "SteelpinMatrix", dependencies: ["Steelpin", "SteelpinConfigurations", "SteelpinFormats"],
      swiftSettings: strict),
    // Hostile servers for tests of clients.
    .target(
      name: "SteelpinLab", dependencies: ["Steelpin", "SteelpinFormats", "SteelpinMatrix", "SteelpinProbe"],
      swiftSettings: common),
    // For tests of clients in other packages.
    .target(
      name: "SteelpinTesting",
      dependencies: [
        "Steelpin", "SteelpinFormats", "SteelpinLab", "SteelpinMatrix",
        .target(name: "SteelpinOpenSSL", condition: .when(traits: ["OpenSSL"])),
        .target(name: "SteelpinGnuTLS", condition: .when(traits: ["GnuTLS"])),
      ],
      swiftSettings: common),
    .target(
      name: "SteelpinCommand",
      dependencies: [
        "Steelpin", "SteelpinFetch", "SteelpinConfigurations", "SteelpinFormats", "SteelpinLab", "SteelpinMatrix",
        "SteelpinProbe", "SteelpinReports",
      ],
      swiftSettings: strict),
    // libsteelpin, the evaluator for programs in other languages; scripts/install builds it.
    .systemLibrary(name: "CSteelpin"),
    .target(
      name: "SteelpinC",
      dependencies: [
        "CSteelpin", "Steelpin", "SteelpinConfigurations", "SteelpinFetch", "SteelpinFormats", "SteelpinReports",
        .target(name: "SteelpinOpenSSL", condition: .when(traits: ["OpenSSL"])),
        .target(name: "SteelpinGnuTLS", condition: .when(traits: ["GnuTLS"])),
      ],
      swiftSettings: common),
    .executableTarget(
      name: "SteelpinTool",
      dependencies: [
        "SteelpinCommand",
        .target(name: "SteelpinOpenSSL", condition: .when(traits: ["OpenSSL"])),
        .target(name: "SteelpinGnuTLS", condition: .when(traits: ["GnuTLS"])),
      ],
      swiftSettings: strict),

    // What several test targets share: the backends that are compiled in, tools to run, servers to talk to.
    .target(
      name: "SteelpinTestSupport",
      dependencies: [
        "Steelpin", "SteelpinMatrix",
        .target(name: "SteelpinOpenSSL", condition: .when(traits: ["OpenSSL"])),
        .target(name: "SteelpinGnuTLS", condition: .when(traits: ["GnuTLS"])),
      ],
      path: "Tests/SteelpinTestSupport",
      swiftSettings: common),
    // Runs public suites of test cases; for tests only, see scripts/limbo.
    .executableTarget(
      name: "LimboRunner",
      dependencies: [
        "Steelpin",
        .target(name: "SteelpinOpenSSL", condition: .when(traits: ["OpenSSL"])),
        .target(name: "SteelpinGnuTLS", condition: .when(traits: ["GnuTLS"])),
      ],
      path: "Tests/LimboRunner",
      swiftSettings: common),
    .testTarget(
      name: "SteelpinCommandTests",
      dependencies: [
        "Steelpin", "SteelpinCommand", "SteelpinConfigurations", "SteelpinFormats", "SteelpinProbe", "SteelpinReports",
        "SteelpinTestSupport", "SteelpinTool",
      ],
      swiftSettings: common),
    .testTarget(
      name: "SteelpinConfigurationTests",
      dependencies: ["Steelpin", "SteelpinConfigurations", "SteelpinFormats", "SteelpinTestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "SteelpinLabTests",
      dependencies: [
        "Steelpin", "SteelpinFormats", "SteelpinLab", "SteelpinMatrix", "SteelpinProbe", "SteelpinTestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "SteelpinProbeTests", dependencies: ["Steelpin", "SteelpinProbe", "SteelpinTestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "SteelpinHTTPTests", dependencies: ["Steelpin", "SteelpinHTTP", "SteelpinMatrix", "SteelpinTestSupport"],
      swiftSettings: common),
    .testTarget(name: "SteelpinTests", dependencies: ["Steelpin"], swiftSettings: common),
    .testTarget(
      name: "SteelpinFormatsTests", dependencies: ["Steelpin", "SteelpinFormats", "SteelpinTestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "SteelpinMatrixTests",
      dependencies: ["Steelpin", "SteelpinConfigurations", "SteelpinFetch", "SteelpinMatrix", "SteelpinTestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "SteelpinCTests",
      dependencies: [
        "CSteelpin", "Steelpin", "SteelpinC", "SteelpinConfigurations", "SteelpinMatrix", "SteelpinReports",
        "SteelpinTestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "BackendTests", dependencies: ["Steelpin", "SteelpinFetch", "SteelpinMatrix", "SteelpinTestSupport"],
      swiftSettings: common),
  ]
)
