// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A client that is built on Steelpin, in one file.
func example(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "ExampleSupport",
      .product(name: "Steelpin", package: "steelpin"),
      .product(name: "SteelpinFormats", package: "steelpin"),
      .product(name: "SteelpinHTTP", package: "steelpin"),
      .product(name: "SteelpinOpenSSL", package: "steelpin"),
    ],
    swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
}

let package = Package(
  name: "steelpin-examples",
  dependencies: [.package(name: "steelpin", path: "..")],
  targets: [
    // The servers to talk to, as scripts/examples starts them.
    .target(
      name: "ExampleSupport",
      dependencies: [
        .product(name: "Steelpin", package: "steelpin"), .product(name: "SteelpinFormats", package: "steelpin"),
        .product(name: "SteelpinHTTP", package: "steelpin"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    example("AlamofireWrapper"),
    example("HandWrittenClient"),
    example("AFNetworkingWrapper"),
    example("SelfSignedWrapper"),
    example("URLProtocolInterceptor"),
    example("NIOCallback"),
  ]
)
