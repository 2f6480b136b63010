// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// Revocation lists and OCSP responses of a suite.
struct SuiteEvidence {
  var lists: [String: CertificateRevocationList] = [:]
  var responses: [String: [UInt8]] = [:]

  /// Makes the lists of `lists`.
  mutating func readLists(
    _ members: [DocumentNode.Member], _ certificates: inout SuiteCertificates, _ session: inout ReadingSession
  ) {
    for member in members {
      guard let der = list(member, &certificates, &session) else { continue }
      do throws(RevocationEvidenceError) {
        lists[member.key] = try CertificateRevocationList(der: der)
      } catch {
        session.error(
          .valueWrong, member.value.position, "'\(member.key)' is no revocation list: \(error)",
          hint: "a list that cannot be read cannot be given to a client")
      }
    }
  }

  private func list(
    _ member: DocumentNode.Member, _ certificates: inout SuiteCertificates, _ session: inout ReadingSession
  ) -> [UInt8]? {
    guard let members = session.members(member.value, "a revocation list") else { return nil }
    if let file = member.value["file"] {
      for other in members where other.key != "file" { session.refuse(other, known: ["file"]) }
      return session.string(file, "file").flatMap { certificates.bytes($0, file.position, &session) }
    }
    var recipe = RevocationListRecipe.complete()
    var signer: IssuedCertificate?
    for item in members {
      let value = item.value
      switch item.key {
      case "issuer":
        if let name = session.string(value, "issuer") {
          signer = certificates.signer(name, value.position, &session)
        }
      case "revoked": recipe.entries = entries(value, &certificates, &session)
      case "number":
        if let number = session.integer(value, "number", 0...255).flatMap({ UInt8(exactly: $0) }) {
          replace(.crlNumber([number]), in: &recipe)
        }
      case "base":
        if let number = session.integer(value, "base", 0...255).flatMap({ UInt8(exactly: $0) }) {
          replace(.deltaCRLIndicator([number]), in: &recipe)
        }
      case "indirect":
        if session.boolean(value, "indirect") == true {
          var point = IssuingDistributionPointRecipe()
          point.isIndirect = true
          recipe = recipe.scoped(to: point)
        }
      case "thisUpdate": if let moment = session.moment(value, item.key) { recipe.thisUpdate = moment }
      case "nextUpdate":
        if case .null = value.value {
          recipe.nextUpdate = nil
        } else if let moment = session.moment(value, item.key) {
          recipe.nextUpdate = moment
        }
      case "issuerName": recipe.issuerName = session.subject(value, item.key)
      case "signature": recipe.signatureAlgorithm = session.signatureAlgorithm(value)
      case "faults": recipe.faults = session.faults(value)
      case "comment": _ = session.string(value, item.key)
      default:
        session.refuse(
          item,
          known: [
            "file", "issuer", "revoked", "number", "base", "indirect", "thisUpdate", "nextUpdate", "issuerName",
            "signature", "faults", "comment",
          ])
      }
    }
    guard let signer else {
      missing("issuer", member, &session)
      return nil
    }
    return made(member, &session) { () throws(RecipeError) in try recipe.list(by: signer, clock: certificates.clock) }
  }

  private func replace(_ value: ExtensionValue, in recipe: inout RevocationListRecipe) {
    recipe.extensions.removeAll { $0.value.identifier == value.identifier }
    recipe.extensions.append(ExtensionRecipe(value))
  }

  /// Names of certificates, or `{certificate, reason, date}`.
  private func entries(
    _ node: DocumentNode, _ certificates: inout SuiteCertificates, _ session: inout ReadingSession
  ) -> [RevocationEntryRecipe] {
    (session.array(node, "revoked") ?? []).compactMap { item in
      var (name, reason): (DocumentNode?, RevocationReason?)
      var date = MomentRecipe.days(-2)
      var namesIssuer = false
      if case .string = item.value { name = item }
      for member in item.members ?? [] {
        switch member.key {
        case "certificate": name = member.value
        case "reason":
          if let text = session.string(member.value, "reason") {
            reason = session.reason(text, member.value.position)
          }
        case "date": if let moment = session.moment(member.value, "date") { date = moment }
        case "namesIssuer": namesIssuer = session.boolean(member.value, "namesIssuer") ?? false
        default: session.refuse(member, known: ["certificate", "reason", "date", "namesIssuer"])
        }
      }
      guard let name, let text = session.string(name, "certificate") else {
        session.error(.structureInvalid, item.position, "an entry names no 'certificate'", hint: "write its name")
        return nil
      }
      switch certificates.certificate(text, name.position, &session) {
      case .issued(let issued, _):
        return RevocationEntryRecipe(issued, reason: reason, date: date, namesIssuer: namesIssuer)
      case .read(let certificate):
        return RevocationEntryRecipe(
          serialNumber: Array(certificate.serialNumber), reason: reason, date: date,
          certificateIssuer: namesIssuer ? NameRecipe(certificate.issuer) : nil)
      case nil: return nil
      }
    }
  }

  func missing(_ key: String, _ member: DocumentNode.Member, _ session: inout ReadingSession) {
    guard member.value[key] == nil else { return }
    session.error(
      .structureInvalid, member.keyPosition, "'\(member.key)' has no '\(key)'", hint: "name the certificate")
  }

  func made(
    _ member: DocumentNode.Member, _ session: inout ReadingSession, _ make: () throws(RecipeError) -> [UInt8]
  ) -> [UInt8]? {
    do throws(RecipeError) {
      return try make()
    } catch {
      session.error(.valueWrong, member.value.position, "'\(member.key)' cannot be made: \(error)", hint: "mend it")
      return nil
    }
  }
}

extension SuiteEvidence {
  /// Makes the OCSP responses of `responses`.
  mutating func readResponses(
    _ members: [DocumentNode.Member], _ certificates: inout SuiteCertificates, _ session: inout ReadingSession
  ) {
    for member in members {
      if let der = response(member, &certificates, &session) { responses[member.key] = der }
    }
  }

  private func response(
    _ member: DocumentNode.Member, _ certificates: inout SuiteCertificates, _ session: inout ReadingSession
  ) -> [UInt8]? {
    guard let members = session.members(member.value, "an OCSP response") else { return nil }
    if let file = member.value["file"] {
      for other in members where other.key != "file" { session.refuse(other, known: ["file"]) }
      return session.string(file, "file").flatMap { certificates.bytes($0, file.position, &session) }
    }
    var parties: [String: IssuedCertificate] = [:]
    var status = OCSPStatusRecipe.good
    var (thisUpdate, nextUpdate): (MomentRecipe?, MomentRecipe??) = (nil, nil)
    var faults: [RecipeFault] = []
    for item in members {
      let value = item.value
      switch item.key {
      case "certificate", "issuer", "signer":
        if let name = session.string(value, item.key) {
          parties[item.key] = certificates.signer(name, value.position, &session)
        }
      case "status":
        let words: [(name: String, value: OCSPStatusRecipe)] = [
          ("good", .good), ("revoked", .revoked), ("unknown", .unknown),
        ]
        status = session.lookUp(value, "status", words) ?? .unknown
      case "thisUpdate": thisUpdate = session.moment(value, item.key)
      case "nextUpdate":
        if case .null = value.value { nextUpdate = .some(nil) } else { nextUpdate = session.moment(value, item.key) }
      case "faults": faults = session.faults(value)
      case "comment": _ = session.string(value, item.key)
      default:
        session.refuse(
          item,
          known: [
            "file", "certificate", "issuer", "signer", "status", "thisUpdate", "nextUpdate", "faults", "comment",
          ])
      }
    }
    guard let certificate = parties["certificate"], let issuer = parties["issuer"] else {
      missing("certificate", member, &session)
      missing("issuer", member, &session)
      return nil
    }
    let signer = parties["signer"] ?? issuer
    var answer = OCSPAnswerRecipe(certificate, issuedBy: issuer, status)
    if let thisUpdate { answer.thisUpdate = thisUpdate }
    if let nextUpdate { answer.nextUpdate = nextUpdate }
    var recipe = OCSPResponseRecipe([answer])
    recipe.faults = faults
    if signer.der != issuer.der { recipe.certificates = [signer.der] }
    return made(member, &session) { () throws(RecipeError) in
      try recipe.response(by: signer, clock: certificates.clock)
    }
  }
}
