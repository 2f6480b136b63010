// SPDX-License-Identifier: Apache-2.0
internal import SteelpinConfigurations

/// How large the policies of a suite become when names in combinations are replaced by the policies that they name.
///
/// A few names that each stand twice in the next policy make one of billions of parts. So sizes are counted before
/// anything is replaced, each policy once. A policy is a part, and so is each item of its lists.
struct SuitePolicySizes {
  static let maximumParts = 10_000
  static let maximumPartsOfAll = 100_000
  static let maximumLevels = 64

  private struct Size {
    var parts = 1
    var levels = 1
  }

  private let members: [DocumentNode.Member]
  private let named: [String: DocumentNode.Member]
  private var known: [String: Size] = [:]
  private var inProgress: [String] = []

  init(_ members: [DocumentNode.Member]) {
    self.members = members
    self.named = Dictionary(members.map { ($0.key, $0) }) { first, _ in first }
  }

  /// Refuses the first policy that needs itself or becomes too large, where it begins to; false if there is one.
  mutating func check(_ session: inout ReadingSession) -> Bool {
    var parts = 0
    for member in members {
      guard let size = size(of: member, at: member.keyPosition, &session) else { return false }
      parts += size.parts
      guard parts <= Self.maximumPartsOfAll else {
        session.error(
          .structureInvalid, member.keyPosition,
          "the policies up to '\(member.key)' have more than \(Self.maximumPartsOfAll) parts together, with those that "
            + "they name", hint: "split the suite, or name fewer policies in combinations")
        return false
      }
    }
    return true
  }

  private mutating func size(
    of member: DocumentNode.Member, at position: SourcePosition, _ session: inout ReadingSession
  ) -> Size? {
    if let known = known[member.key] { return known }
    guard !inProgress.contains(member.key) else {
      session.error(
        .structureInvalid, position, "the policy '\(member.key)' needs itself", hint: "name policies that stand alone")
      return nil
    }
    guard inProgress.count < Self.maximumLevels else {
      tooDeep(position, &session)
      return nil
    }
    inProgress.append(member.key)
    let size = size(of: member.value, &session)
    inProgress.removeLast()
    known[member.key] = size
    return size
  }

  private mutating func size(of node: DocumentNode, _ session: inout ReadingSession) -> Size? {
    var size = Size()
    for member in node.members ?? [] {
      let policies: [DocumentNode]
      switch (member.key, member.value.value) {
      case ("all", .array(let items)), ("any", .array(let items)): policies = items
      case ("then", _): policies = [member.value]
      case (_, .array(let items)):
        size.parts += items.count
        continue
      default: continue
      }
      for policy in policies {
        guard let part = part(policy, &session) else { return nil }
        size.parts += part.parts
        size.levels = max(size.levels, 1 + part.levels)
      }
    }
    guard size.levels <= Self.maximumLevels else {
      tooDeep(node.position, &session)
      return nil
    }
    guard size.parts <= Self.maximumParts else {
      session.error(
        .structureInvalid, node.position,
        "this policy has more than \(Self.maximumParts) parts, with those of the policies that it names",
        hint: "name fewer policies, and none more than once")
      return nil
    }
    return size
  }

  private mutating func part(_ node: DocumentNode, _ session: inout ReadingSession) -> Size? {
    guard case .string(let name) = node.value else { return size(of: node, &session) }
    // A name that nothing has is said where names are replaced.
    guard let member = named[name] else { return Size() }
    return size(of: member, at: node.position, &session)
  }

  private func tooDeep(_ position: SourcePosition, _ session: inout ReadingSession) {
    session.error(
      .structureInvalid, position, "more than \(Self.maximumLevels) levels of policies are not read",
      hint: "name policies that stand alone")
  }
}
