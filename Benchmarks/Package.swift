// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "steelpin-benchmarks",
  dependencies: [.package(name: "steelpin", path: "..")],
  targets: [
    .systemLibrary(name: "CLibraries", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CGnu", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    // The peers: plain loops over the C libraries.
    .target(name: "RawLoops", dependencies: ["CLibraries", "CGnu"]),
    .executableTarget(
      name: "EvaluateBenchmark",
      dependencies: [
        "RawLoops",
        .product(name: "Steelpin", package: "steelpin"),
        .product(name: "SteelpinOpenSSL", package: "steelpin"),
        .product(name: "SteelpinGnuTLS", package: "steelpin"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    // The peer is URLSession as it comes with Swift.
    .executableTarget(
      name: "HTTPBenchmark",
      dependencies: [
        .product(name: "Steelpin", package: "steelpin"),
        .product(name: "SteelpinFormats", package: "steelpin"),
        .product(name: "SteelpinHTTP", package: "steelpin"),
        .product(name: "SteelpinOpenSSL", package: "steelpin"),
        .product(name: "SteelpinGnuTLS", package: "steelpin"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
