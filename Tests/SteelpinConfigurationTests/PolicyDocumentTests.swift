// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// Policies as JSON: what is read, what is refused, and that what is written reads back as the same.
@Suite struct PolicyDocumentTests {
  private static let root = try? TestCerts.certificate("ca/root-p256")
  private static let leaf = try? TestCerts.certificate("leaf/p-256")
  private static let pin = "sha256/\(Keys.leaf)"

  private static func read(_ json: String) throws(PolicyDocumentError) -> CompositePolicy {
    try PolicyDocument(json: Array(json.utf8)).policy(for: nil, at: TestCerts.clock)
  }

  struct Reading: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let json: String
    let policy: CompositePolicy

    init(_ rule: String, _ json: String, _ policy: TrustPolicy) { self.init(rule, json, composite: .policy(policy)) }

    init(_ rule: String, _ json: String, composite: CompositePolicy) {
      self.testDescription = rule
      self.json = json
      self.policy = composite
    }
  }

  static let readings: [Reading] = {
    guard let root, let leaf, let pin = try? Pin(parsing: pin), let other = try? Pin(parsing: "sha256/\(Keys.other)"),
      let time = Timestamp("2027-03-01"), let identifier = OID("2.23.140.1.2.1"), let host = try? HostName("b.test")
    else { return [] }
    let text = "\"\(root.der.base64)\""
    let report = TrustPolicy(enforcement: .reportOnly)
    let policies = TrustPolicy.CertificatePolicies(accepted: [identifier], requireExplicitPolicy: true)
    return [
      Reading("an empty policy is that of a careful client", "{}", TrustPolicy()),
      Reading("comments are read", "{ /* none */ comment: 'none', }", TrustPolicy()),
      Reading(
        "an empty list of anchors trusts nothing", #"{"anchors": []}"#, TrustPolicy(anchors: .only(AnchorSet([])))),
      Reading("the system's anchors", #"{"anchors": "system"}"#, TrustPolicy()),
      Reading("base64 of DER", "{\"anchors\": [\(text)]}", TrustPolicy(anchors: .only(AnchorSet([root])))),
      Reading(
        "the system's anchors and others", "{\"anchors\": [\"system\", \(text)]}",
        TrustPolicy(anchors: .systemAnd(AnchorSet([root])))),
      Reading(
        "PEM", "{\"anchors\": \"\(PEM.certificate(root.der).replacingOccurrences(of: "\n", with: "\\n"))\"}",
        TrustPolicy(anchors: .only(AnchorSet([root])))),
      Reading(
        "domain, chain, profile", #"{"domain": "sslAnyHost", "chain": "unvalidated", "profile": "webPKI"}"#,
        TrustPolicy(domain: .sslAnyHost, chain: .unvalidated, profile: .webPKI)),
      Reading(
        "pins anywhere", "{\"pins\": [\"\(Self.pin)\"]}", TrustPolicy(pinning: .pins(PinSet([pin]), scope: .any))),
      Reading(
        "pins within a scope", "{\"pins\": [{\"pin\": \"\(Self.pin)\", \"name\": \"now\"}], \"scope\": \"leaf\"}",
        TrustPolicy(pinning: .pins(PinSet([pin]), scope: .leaf))),
      Reading(
        "pins of two scopes are alternatives",
        "{\"pins\": [\"\(Self.pin)\", {\"pin\": \"sha256/\(Keys.other)\", \"on\": \"issuers\"}]}",
        composite: .any([
          .policy(TrustPolicy(pinning: .pins(PinSet([pin]), scope: .any))),
          .policy(TrustPolicy(pinning: .pins(PinSet([other]), scope: .issuers))),
        ])),
      Reading(
        "an empty list of pins is met by nothing", #"{"pins": []}"#,
        TrustPolicy(pinning: .pins(PinSet([]), scope: .any))),
      Reading(
        "certificates", "{\"certificates\": [\(text)], \"scope\": \"issuers\"}",
        TrustPolicy(pinning: .certificates([root], scope: .issuers))),
      Reading(
        "the leaf, byte for byte", "{\"leafData\": \"\(leaf.der.base64)\"}", TrustPolicy(pinning: .leafData([leaf]))),
      Reading("revocation by its mode", #"{"revocation": "staple"}"#, TrustPolicy(revocation: .init(.staple))),
      Reading(
        "revocation with all that it has",
        #"{"revocation": {"mode": "online", "failure": "hard", "scope": "leaf", "requiresNonce": true}}"#,
        TrustPolicy(revocation: .init(.online, failure: .hard, scope: .leaf, requiresNonce: true))),
      Reading("a moment", #"{"time": "2027-03-01"}"#, TrustPolicy(time: time)),
      Reading("pins that are only reported", #"{"enforcement": "report-only"}"#, report),
      Reading(
        "certificate policies",
        #"{"certificatePolicies": {"accepted": ["2.23.140.1.2.1"], "requireExplicitPolicy": true}}"#,
        TrustPolicy(certificatePolicies: policies)),
      Reading(
        "all of several", #"{"all": [{}, {"enforcement": "report-only"}]}"#,
        composite: .all([.policy(TrustPolicy()), .policy(report)])),
      Reading("one of several", #"{"any": [{}]}"#, composite: .any([.policy(TrustPolicy())])),
      Reading(
        "for another host", #"{"host": "B.test.", "then": {}}"#, composite: .forHost(host, .policy(TrustPolicy()))),
      Reading("nothing at all", #"{"refuse": "host"}"#, composite: .refuse(.host)),
      Reading(
        "a preset", "{\"preset\": \"pitaya\", \"certificates\": [\"\(leaf.der.base64)\"]}",
        composite: PitayaPreset(leaf: leaf).policy(for: nil, at: TestCerts.clock)),
      Reading(
        "a preset with a flag and a moment",
        "{\"preset\": \"curl+insecure\", \"pins\": [\"\(Self.pin)\"], \"time\": \"2027-03-01\"}",
        composite: CurlPreset(isInsecure: true, pinnedPublicKeys: PinSet([pin])).policy(for: nil, at: time).at(time)),
    ]
  }()

  @Test("The rows were made") func rows() { #expect(Self.readings.count > 20) }

  @Test("A document is read", arguments: readings)
  func reads(_ row: Reading) throws { #expect(try Self.read(row.json) == row.policy) }

  @Test("A policy that is written reads back as the same", arguments: readings)
  func roundTrip(_ row: Reading) throws { #expect(try Self.read(PolicyDocument.text(of: row.policy)) == row.policy) }

  @Test("The published schema takes what the reader takes", arguments: readings)
  func schema(_ row: Reading) throws {
    let schema = try SchemaDocument("policy.schema.json")
    #expect(try schema.problems(PolicyDocument.text(of: row.policy)) == [])
    // The schema is about JSON; JSON5 may have comments.
    guard (try? JSONSerialization.jsonObject(with: Data(row.json.utf8))) != nil else { return }
    #expect(try schema.problems(row.json) == [])
  }

  @Test("The published schema refuses keys that the reader does not know", arguments: refusals)
  func schemaOfKeys(_ row: (json: String, code: String, place: String)) throws {
    // Which preset takes which keys is not for a schema to say.
    guard row.code == "key-unknown", !row.json.contains("\"certificates\"") else { return }
    #expect(try SchemaDocument("policy.schema.json").problems(row.json) != [])
  }

  static let refusals: [(json: String, code: String, place: String)] = [
    ("", "syntax", "1:1"),
    ("[]", "value-wrong", "1:1"),
    ("{}{}", "syntax", "1:3"),
    ("{\"domain\": \"ssl\", \"domain\": \"ssl\"}", "key-duplicate", "1:19"),
    ("{\"anchor\": []}", "key-unknown", "1:2"),
    ("{\"anchors\": [\"ca.pem\"]}", "certificate-unreadable", "1:14"),
    ("{\"anchors\": [1]}", "value-wrong", "1:14"),
    ("{\"anchors\": {}}", "value-wrong", "1:13"),
    ("{\"leafData\": [\"system\"]}", "certificate-unreadable", "1:15"),
    ("{\"domain\": \"tls\"}", "value-wrong", "1:12"),
    ("{\"chain\": null}", "value-wrong", "1:11"),
    ("{\"profile\": \"webpki\"}", "value-wrong", "1:13"),
    ("{\"pins\": [\"sha256/AA==\"]}", "pin-malformed", "1:11"),
    ("{\"pins\": [{\"name\": \"x\"}]}", "structure-invalid", "1:11"),
    ("{\"pins\": [{\"pin\": \"\(pin)\", \"onn\": \"leaf\"}]}", "key-unknown", "1:74"),
    ("{\"pins\": \"\(pin)\"}", "value-wrong", "1:10"),
    ("{\"pins\": [], \"leafData\": []}", "structure-invalid", "1:14"),
    ("{\"scope\": \"leaf\"}", "structure-invalid", "1:2"),
    ("{\"leafData\": [], \"scope\": \"leaf\"}", "structure-invalid", "1:18"),
    ("{\"time\": \"soon\"}", "value-wrong", "1:10"),
    ("{\"revocation\": \"always\"}", "value-wrong", "1:16"),
    ("{\"revocation\": {}}", "structure-invalid", "1:16"),
    ("{\"revocation\": {\"mode\": \"crl\", \"soft\": true}}", "key-unknown", "1:32"),
    ("{\"certificatePolicies\": {\"accepted\": [\"any\"]}}", "value-wrong", "1:39"),
    ("{\"enforcement\": true}", "value-wrong", "1:17"),
    ("{\"all\": {}}", "value-wrong", "1:9"),
    ("{\"all\": [{\"x\": 1}]}", "key-unknown", "1:11"),
    ("{\"all\": [], \"domain\": \"ssl\"}", "key-unknown", "1:13"),
    ("{\"then\": {}}", "structure-invalid", "1:2"),
    ("{\"host\": \"a b\", \"then\": {}}", "host-malformed", "1:10"),
    ("{\"refuse\": \"me\"}", "value-wrong", "1:12"),
    ("{\"preset\": \"alamo\"}", "value-wrong", "1:12"),
    ("{\"preset\": \"curl+quick\"}", "value-wrong", "1:12"),
    ("{\"preset\": \"curl\", \"certificates\": []}", "key-unknown", "1:20"),
    ("{\"preset\": \"curl\", \"domain\": \"ssl\"}", "key-unknown", "1:20"),
    (String(repeating: "{\"any\":[", count: 100), "limit-exceeded", "1:257"),
  ]

  @Test("A mistake is refused with its place", arguments: refusals)
  func refuses(_ row: (json: String, code: String, place: String)) throws {
    let error = try #require(throws: PolicyDocumentError.self) { try Self.read(row.json) }
    let first = try #require(error.problems.first)
    #expect(first.code == row.code)
    #expect("\(first.position)" == "policy:\(row.place)")
    #expect(!first.message.isEmpty)
  }

  @Test("Every mistake is reported, in the order of the document")
  func allProblems() throws {
    let json = "{\"domain\": 1, \"colour\": 2,\n \"profile\": 3}"
    let error = try #require(throws: PolicyDocumentError.self) { try Self.read(json) }
    #expect(error.problems.map { "\($0.position.line):\($0.position.column)" } == ["1:12", "1:15", "2:13"])
  }

  @Test("Octets that are not UTF-8 are refused")
  func encoding() throws {
    let error = try #require(throws: PolicyDocumentError.self) { try PolicyDocument(json: [0x7B, 0xFF, 0x7D]) }
    #expect(error.problems.map(\.code) == ["encoding-invalid"])
  }

  @Test("Files are read beside the document, and only where they are given")
  func files() throws {
    let root = try TestCerts.certificate("ca/root-p256")
    let json = Array(#"{"anchors": ["ca/root.pem"]}"#.utf8)
    let files = MemoryFiles(["etc/ca/root.pem": Array(PEM.certificate(root.der).utf8)])
    let document = try PolicyDocument(json: json, name: "etc/policy.json", files: files)
    #expect(
      document.policy(for: nil, at: TestCerts.clock) == .policy(TrustPolicy(anchors: .only(AnchorSet([root])))))
    let error = try #require(throws: PolicyDocumentError.self) {
      try PolicyDocument(json: json, name: "policy.json", files: files)
    }
    #expect(error.problems.map(\.code) == ["certificate-unreadable"])
  }

  @Test("Every preset can be named")
  func presets() throws {
    let host = try HostName("www.steelpin.test")
    for preset in NamedPreset.all {
      let document = try PolicyDocument(json: Array("{\"preset\": \"\(preset.name)\"}".utf8))
      #expect(
        document.policy(for: host, at: TestCerts.clock) == preset.source().policy(for: host, at: TestCerts.clock))
    }
  }
}

extension [UInt8] {
  fileprivate var base64: String { Data(self).base64EncodedString() }
}
