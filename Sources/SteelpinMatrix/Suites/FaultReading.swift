// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// Faults of anything that is signed, as suites write them.
extension ReadingSession {
  mutating func faults(_ node: DocumentNode) -> [RecipeFault] {
    (array(node, "faults") ?? []).compactMap { fault($0) }
  }

  private mutating func fault(_ node: DocumentNode) -> RecipeFault? {
    if case .string = node.value {
      return lookUp(node, "fault", [("flip-signature-bit", RecipeFault.flipSignatureBit)])
    }
    guard let members = members(node, "a fault") else { return nil }
    if let path = node["patch"] { return patch(node, path, members) }
    let known = ["append", "innerAlgorithm", "outerAlgorithm", "signature", "patch"]
    guard let member = members.first, members.count == 1 else {
      error(
        .structureInvalid, node.position, "a fault is one key and its value",
        hint: "the keys are \(known.joined(separator: ", "))")
      return nil
    }
    switch member.key {
    case "append": return octets(member.value, "append").map { .append($0) }
    case "innerAlgorithm": return signatureAlgorithm(member.value).map { .innerAlgorithm($0) }
    case "outerAlgorithm": return signatureAlgorithm(member.value).map { .outerAlgorithm($0) }
    case "signature": return octets(member.value, "signature").map { .signature($0) }
    default:
      refuse(member, known: known)
      return nil
    }
  }

  /// `{patch: [0, 4, 1], replace: "…"}`: a change of one element of the DER, before it is signed with `signed`.
  private mutating func patch(
    _ node: DocumentNode, _ path: DocumentNode, _ members: [DocumentNode.Member]
  ) -> RecipeFault? {
    let place = (array(path, "patch") ?? []).compactMap { integer($0, "a step of the path", 0...65535) }
    var isSigned = false
    var change: DERPatch.Change?
    var count = 0
    for member in members where member.key != "patch" {
      if member.key == "signed" {
        isSigned = boolean(member.value, "signed") ?? false
        continue
      }
      count += 1
      switch member.key {
      case "append": change = octets(member.value, member.key).map { .append($0) }
      case "flipLastBit": change = boolean(member.value, member.key) == true ? .flipLastBit : nil
      case "prepend": change = octets(member.value, member.key).map { .prepend($0) }
      case "remove": change = boolean(member.value, member.key) == true ? .remove : nil
      case "replace": change = octets(member.value, member.key).map { .replace($0) }
      case "setContent": change = octets(member.value, member.key).map { .setContent($0) }
      case "setTag":
        change = integer(member.value, member.key, 0...255).flatMap { UInt8(exactly: $0) }.map { .setTag($0) }
      default:
        refuse(
          member,
          known: [
            "signed", "append", "flipLastBit", "prepend", "remove", "replace", "setContent", "setTag",
          ])
      }
    }
    guard count == 1, let change else {
      error(
        .structureInvalid, node.position, "a patch makes exactly one change",
        hint: "write {patch: [0, 4, 1], replace: \"0500\"}")
      return nil
    }
    let patch = DERPatch(at: place, change)
    return isSigned ? .patchSigned(patch) : .patch(patch)
  }
}
