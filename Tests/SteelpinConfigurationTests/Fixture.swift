// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// Pins of the test certificates, base64 of the SHA-256 of the keys.
enum Keys {
  static let leaf = "vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU="
  static let rotated = "UogEtYq2+NZvqvlq2PUtGtYySunF1IYlsKoCi7mXuPU="
  static let intermediate = "+6pMTKTTTaxLuOQ3GzMlA09Ea5R/hqoyiqz1iH2IO7k="
  static let root = "ljy5d1E+rJ26fGoytXYRcE114CmYmIRIn7PtVSslG3k="
  static let other = "0vE/zKcwijrsy3eTjDufStVlhq+433k4zpi3jnH+KUM="
}

/// Reads a configuration that is given as text.
func configuration(
  _ text: String, as format: String, path: String = "pins.txt", files: [String: [UInt8]] = [:]
) throws -> PinConfiguration {
  let source = try ConfigurationSource(path: path, bytes: Array(text.utf8), files: MemoryFiles(files))
  let format = try #require(PinConfigurationFormats.named(format))
  return try format.read(source)
}

/// What a configuration does with a server, on the first backend that is compiled in.
func outcome(
  _ configuration: PinConfiguration, host: String, chain: String = "p-256", port: UInt16 = 443,
  at time: Timestamp = TestCerts.clock
) throws -> HostCheck.Outcome {
  try check(configuration, host: host, chain: chain, port: port, at: time).outcome
}

func check(
  _ configuration: PinConfiguration, host: String, chain: String = "p-256", port: UInt16 = 443,
  at time: Timestamp = TestCerts.clock
) throws -> HostCheck {
  let roots = try TestCerts.roots()
  let context = PlatformContext(anchors: .only(roots), anchorCertificates: roots.certificates, time: time)
  let backend = try #require(trustBackends().first)
  return try ConfigurationChecker(evaluator: backend, context: context).check(
    configuration, host: HostName(host), port: port, chain: TestCerts.chain("leaf/\(chain)"))
}

/// One row of a table: a rule, a configuration, a server, and what the format's system does with it.
struct Row: Sendable, CustomTestStringConvertible {
  let rule: String
  let text: String
  let host: String
  let chain: String
  let expected: HostCheck.Outcome
  var at = TestCerts.clock

  init(
    _ rule: String, _ text: String, host: String = "www.steelpin.test", chain: String = "p-256",
    _ expected: HostCheck.Outcome, at: Timestamp = TestCerts.clock
  ) {
    self.rule = rule
    self.text = text
    self.host = host
    self.chain = chain
    self.expected = expected
    self.at = at
  }

  var testDescription: String { rule }
}
