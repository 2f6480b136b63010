// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("name constraints")
struct NameConstraintTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let constraint: [UInt8]
    let name: [UInt8]
    /// Whether the name lies within the subtree: then permitting it accepts and excluding it refuses.
    let isWithin: Bool
    let testDescription: String

    init(_ constraint: [UInt8], _ name: [UInt8], _ isWithin: Bool, _ text: String) {
      self.constraint = constraint
      self.name = name
      self.isWithin = isWithin
      self.testDescription = text
    }

    static func dns(_ base: String, _ name: String, _ isWithin: Bool) -> Row {
      Row(FakeGeneralName.dns(base), FakeGeneralName.dns(name), isWithin, "DNS \(base) and \(name)")
    }
    static func email(_ base: String, _ name: String, _ isWithin: Bool) -> Row {
      Row(FakeGeneralName.email(base), FakeGeneralName.email(name), isWithin, "mail \(base) and \(name)")
    }
    static func uri(_ base: String, _ name: String, _ isWithin: Bool) -> Row {
      Row(FakeGeneralName.uri(base), FakeGeneralName.uri(name), isWithin, "URI \(base) and \(name)")
    }
  }

  static let rows: [Row] = [
    .dns("example.com", "example.com", true), .dns("example.com", "a.b.example.com", true),
    .dns("EXAMPLE.com", "a.Example.COM", true), .dns("example.com", "notexample.com", false),
    .dns("example.com", "example.org", false), .dns("a.example.com", "example.com", false),
    .dns("", "anything.example", true), .dns("example.com", "*.example.com", true),
    .email("user@example.com", "user@EXAMPLE.com", true), .email("user@example.com", "User@example.com", false),
    .email("example.com", "user@example.com", true), .email("example.com", "user@a.example.com", false),
    .email(".example.com", "user@a.example.com", true), .email(".example.com", "user@example.com", false),
    .email("**@example.com", "**@example.com", true), .email("**@example.com", "*@example.com", false),
    .uri("example.com", "https://example.com/a", true), .uri("example.com", "https://a.example.com/", false),
    .uri(".example.com", "https://a.example.com:8443/x?y#z", true), .uri(".example.com", "https://example.com", false),
    .uri("example.com", "https://user@EXAMPLE.com/", true),
    Row(FakeGeneralName.ip(192, 0, 2, 0, 255, 255, 255, 0), FakeGeneralName.ip(192, 0, 2, 9), true, "in the network"),
    Row(FakeGeneralName.ip(192, 0, 2, 0, 255, 255, 255, 0), FakeGeneralName.ip(192, 0, 3, 9), false, "beside it"),
    Row(
      FakeGeneralName.directory(FakeName.commonName("foo  BAR")),
      FakeGeneralName.directory(FakeName.attributes((.commonName, "Foo bar"), (.commonName, "x"))), true,
      "a directory name below, in other letter case"),
    Row(
      FakeGeneralName.directory(FakeName.commonName("foo")), FakeGeneralName.directory(FakeName.commonName("fool")),
      false, "a directory name that begins alike"),
  ]

  private func chain(_ names: [[UInt8]], _ constraints: FakeExtension) -> FakeChain {
    var chain = FakeChain()
    let host = FakeGeneralName.dns("www.example.com")
    chain.leaf.set(
      .subjectAlternativeName,
      FakeExtension(
        identifier: .subjectAlternativeName, value: DER.sequence([host] + names)))
    chain.leaf.set(
      .subjectAlternativeName,
      FakeExtension(
        identifier: .subjectAlternativeName, isCritical: true, value: DER.sequence([host] + names)))
    chain.leaf.subject = FakeName.empty
    chain.root.extensions.append(constraints)
    return chain
  }

  @Test("permitted", arguments: rows) func permitted(_ row: Row) throws {
    let others = [
      FakeGeneralName.dns("www.example.com"), FakeGeneralName.directory(FakeName.commonName("Intermediate")),
    ]
    let verdict = try chain([row.name], .nameConstraints(permitted: [row.constraint] + others)).judge()
    #expect(verdict.errorCodes == (row.isWithin ? [] : ["name-not-permitted@0"]), "\(verdict.errors)")
  }

  @Test("excluded", arguments: rows.filter { $0.testDescription != "DNS  and anything.example" })
  func excluded(_ row: Row) throws {
    let isOfHost =
      row.constraint == FakeGeneralName.dns("example.com") || row.constraint == FakeGeneralName.dns("EXAMPLE.com")
    let verdict = try chain([row.name], .nameConstraints(excluded: [row.constraint])).judge()
    #expect(verdict.errorCodes == (row.isWithin || isOfHost ? ["name-not-permitted@0"] : []), "\(verdict.errors)")
  }

  @Test("a wildcard that might stand for an excluded name is excluded")
  func wildcard() throws {
    let excluded = FakeExtension.nameConstraints(excluded: [FakeGeneralName.dns("secret.example.org")])
    let names = ["*.example.org": false, "*.secret.example.org": false, "*.a.example.org": true, "x.example.org": true]
    for (name, isAllowed) in names {
      #expect(try chain([FakeGeneralName.dns(name)], excluded).judge().isTrusted == isAllowed, "\(name)")
    }
  }

  @Test("constraints on a kind of name that a certificate does not have do not matter")
  func otherKind() throws {
    let other = FakeGeneralName.otherName(.commonName, "x")
    #expect(try chain([], .nameConstraints(excluded: [other])).judge().isTrusted)
    #expect(try !chain([other], .nameConstraints(excluded: [other])).judge().isTrusted)
    #expect(try !chain([other], .nameConstraints(permitted: [other])).judge().isTrusted)
    #expect(
      try chain([], .nameConstraints(permitted: [FakeGeneralName.ip(10, 0, 0, 0, 255, 0, 0, 0)])).judge().isTrusted)
  }

  @Test("the subject is a directory name, and its mail addresses count if there are no others")
  func subject() throws {
    var chain = FakeChain()
    chain.root.extensions.append(
      .nameConstraints(permitted: [FakeGeneralName.directory(FakeName.commonName("Intermediate"))]))
    #expect(try chain.judge().errorCodes == ["name-not-permitted@0"])
    chain = FakeChain()
    chain.leaf.subject = FakeName.attributes((.commonName, "www.example.com"), (.emailAddress, "a@example.org"))
    chain.root.extensions.append(.nameConstraints(excluded: [FakeGeneralName.email("example.org")]))
    #expect(try chain.judge().errorCodes == ["name-not-permitted@0"])
  }

  @Test("names of self-issued intermediates are free, those of others are not")
  func selfIssued() throws {
    var chain = FakeChain()
    chain.root.extensions.append(.nameConstraints(excluded: [FakeGeneralName.dns("example.org")]))
    chain.intermediate.extensions.append(.subjectAlternativeName(FakeGeneralName.dns("example.org")))
    #expect(try chain.judge().errorCodes == ["name-not-permitted@1"])
    chain.intermediate.subject = FakeName.commonName("Root")
    chain.leaf.issuer = FakeName.commonName("Root")
    #expect(try chain.judge().isTrusted)
  }

  @Test("a leading dot in a DNS constraint is refused to the letter, and otherwise leaves out the domain itself")
  func leadingDot() throws {
    let constraint = FakeExtension.nameConstraints(permitted: [FakeGeneralName.dns(".example.com")])
    #expect(try chain([], constraint).judge(.standard).isTrusted)
    #expect(try chain([], constraint).judge(.rfc5280).errorCodes == ["extension-malformed@2"])
    #expect(try !chain([FakeGeneralName.dns("example.com")], constraint).judge(.standard).isTrusted)
  }

  @Test("more names and constraints than will be compared are refused at once")
  func bounded() throws {
    let names = (0..<600).map { FakeGeneralName.dns("n\($0).example.org") }
    let excluded = (0..<600).map { FakeGeneralName.dns("x\($0).example.net") }
    let verdict = try chain(names, .nameConstraints(excluded: excluded)).judge()
    #expect(verdict.errorCodes == ["path-budget-exceeded@2"])
  }
}
