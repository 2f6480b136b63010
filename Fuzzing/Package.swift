// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of its own: its executable has no main function, and links only with libFuzzer. See scripts/fuzz.
let package = Package(
  name: "steelpin-fuzzing",
  dependencies: [.package(name: "steelpin", path: "..")],
  targets: [
    .executableTarget(
      name: "FuzzLoader",
      dependencies: [
        .product(name: "Steelpin", package: "steelpin"),
        .product(name: "SteelpinFormats", package: "steelpin"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
