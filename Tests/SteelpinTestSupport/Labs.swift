// SPDX-License-Identifier: Apache-2.0
public import Steelpin
public import SteelpinMatrix

/// A ring of keys of every provider that is compiled in, shared by all tests of the process: the same recipe gets the
/// same key, and each key is generated once.
public let keyRings: [Named<KeyRing>] = keyProviders.map { Named($0.name, KeyRing($0.value)) }

/// Labs over ``keyRings``, one of every provider.
public func labs(clock: Timestamp = .now(), kind: KeyKind = .ecdsa(bits: 256)) throws -> [Named<Lab>] {
  try keyRings.map { Named($0.name, try Lab(keys: $0.value, clock: clock, kind: kind)) }
}
