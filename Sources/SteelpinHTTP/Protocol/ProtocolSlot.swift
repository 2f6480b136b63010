// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking
internal import Steelpin
private import Synchronization

/// One client under a class of its own. URLSession knows a URLProtocol by its class alone and tells it nothing of the
/// session, so each session has another class: a generic one over a number that is written as a type.
final class ProtocolSlot: Sendable {
  let client: PinnedClient
  let settings: LoadSettings
  private let number: UInt

  private static let numbers = Atomic<UInt>(0)
  private static let known = Locked<[UInt: Weak]>([:])
  private struct Weak: Sendable { weak var slot: ProtocolSlot? }

  init(client: PinnedClient, settings: LoadSettings) {
    self.client = client
    self.settings = settings
    self.number = Self.numbers.add(1, ordering: .relaxed).newValue
    Self.known.withLock { $0[number] = Weak(slot: self) }
  }

  deinit { _ = Self.known.withLock { $0.removeValue(forKey: number) } }

  /// The slot of a number; nil if nobody holds it any more.
  static func find(_ number: UInt) -> ProtocolSlot? { known.withLock { $0[number]?.slot } }

  var protocolClass: PinnedURLProtocol.Type { Self.makeClass(Self.numeral(number)) }

  private static func makeClass(_ numeral: (some Numeral).Type) -> PinnedURLProtocol.Type { numeral.protocolClass }

  private static func numeral(_ number: UInt) -> any Numeral.Type {
    guard number > 0 else { return Zero.self }
    func append(_ higher: (some Numeral).Type) -> any Numeral.Type {
      number.isMultiple(of: 2) ? higher.even : higher.odd
    }
    return append(numeral(number / 2))
  }
}

/// A number as a type, bit by bit.
protocol Numeral {
  static var value: UInt { get }
}

extension Numeral {
  fileprivate static var even: any Numeral.Type { Even<Self>.self }
  fileprivate static var odd: any Numeral.Type { Odd<Self>.self }
  fileprivate static var protocolClass: PinnedURLProtocol.Type { SlotURLProtocol<Self>.self }
}

private enum Zero: Numeral { static let value: UInt = 0 }

private enum Even<Higher: Numeral>: Numeral { static var value: UInt { Higher.value * 2 } }

private enum Odd<Higher: Numeral>: Numeral { static var value: UInt { Higher.value * 2 + 1 } }

/// The class of one slot.
private final class SlotURLProtocol<Number: Numeral>: PinnedURLProtocol {
  override class var slot: ProtocolSlot? { ProtocolSlot.find(Number.value) }
}
