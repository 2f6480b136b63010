// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "ClientTests",
  dependencies: [.package(name: "steelpin", path: "../..")],
  targets: [
    .testTarget(
      name: "ClientTests", dependencies: [.product(name: "SteelpinTesting", package: "steelpin")])
  ]
)
