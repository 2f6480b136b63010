// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Which key a recipe wants. Two recipes with an equal value share one key, as a renewed or a cross-signed certificate
/// does.
public struct KeyRecipe: Hashable, Sendable {
  /// What kind of key it is.
  public var kind: KeyKind
  /// What tells it from other keys of its kind.
  public var label: String

  /// The key of a kind under a label.
  public init(_ kind: KeyKind = .ecdsa(bits: 256), label: String = "leaf") {
    self.kind = kind
    self.label = label
  }
}

/// Keys by recipe: each is generated when first asked for and kept, as large RSA keys take seconds.
public final class KeyRing: Sendable {
  /// The library that makes the keys.
  public let provider: any KeyProvider
  private let keys = Locked<[KeyRecipe: any PrivateKey]>([:])

  /// An empty ring over a library.
  public init(_ provider: any KeyProvider) { self.provider = provider }

  /// The key of a recipe.
  ///
  /// Throws ``RecipeError/backend(_:)`` if the library cannot make a key of its kind.
  public func key(_ recipe: KeyRecipe) throws(RecipeError) -> any PrivateKey {
    if let known = keys.withLock({ $0[recipe] }) { return known }
    // Not under the lock, which would hold up everyone for the time that one key takes.
    let generated: any PrivateKey
    do { generated = try provider.generateKey(recipe.kind) } catch { throw .backend(error) }
    return keys.withLock { keys in
      let first = keys[recipe] ?? generated
      keys[recipe] = first
      return first
    }
  }

  /// The key that was made with a SubjectPublicKeyInfo; nil if none was.
  package func key(ofPublicKeyInfo info: [UInt8]) -> (any PrivateKey)? {
    keys.withLock { $0.values.first { $0.publicKeyInfo == info } }
  }

  /// Uses the given key for a recipe from now on.
  public func use(_ key: any PrivateKey, for recipe: KeyRecipe) { keys.withLock { $0[recipe] = key } }
}
