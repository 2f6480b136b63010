// SPDX-License-Identifier: Apache-2.0
package import Steelpin

extension ReadingSession {
  /// The pins of a list, each a text or an object; one whose place is not given may be met at the `scope`.
  package mutating func pins(
    _ member: DocumentNode.Member, scope: TrustPolicy.PinScope = .any
  ) -> [ConfiguredPin] {
    (array(member.value, member.key) ?? []).compactMap { node in
      if case .string(let text) = node.value { return pin(text, node.position, scope) }
      guard let members = self.members(node, "a pin") else { return nil }
      guard let text = node["pin"], let value = string(text, "pin") else {
        error(.structureInvalid, node.position, "a pin has no 'pin'", hint: "write {\"pin\": \"sha256/…\"}")
        return nil
      }
      var pin = self.pin(value, text.position, scope)
      for member in members {
        switch member.key {
        case "pin": break
        case "name": pin.name = string(member.value, member.key)
        case "comment": pin.comment = string(member.value, member.key)
        case "backup": pin.isBackup = boolean(member.value, member.key) == true
        case "on":
          if let place = choice(member, as: TrustPolicy.PinScope.self) { pin.scope = place }
        default: refuse(member, known: ["pin", "name", "comment", "backup", "on"])
        }
      }
      return pin
    }
  }

  private mutating func pin(
    _ text: String, _ position: SourcePosition, _ scope: TrustPolicy.PinScope
  ) -> ConfiguredPin {
    do throws(PinError) {
      return ConfiguredPin(.sha256(try Pin(parsing: text)), text: text, scope: scope, position: position)
    } catch {
      self.error(.pinMalformed, position, error.description, hint: error.hint)
      return ConfiguredPin(.malformed, text: text, scope: scope, position: position)
    }
  }
}
