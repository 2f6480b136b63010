// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Why a recipe could not be followed.
@nonexhaustive
public enum RecipeError: Error, Hashable, Sendable {
  /// The library that makes keys and signatures could not.
  case backend(BackendError)
  /// A value of the recipe cannot be written into the field.
  case invalidValue(field: String, reason: String)
  /// A patch names an element that the DER does not have; the path is that of ``DERPatch``.
  case noElement(path: [Int])
  /// The key is of a kind that cannot sign here; give the recipe a signature algorithm that fits it.
  case noUsualAlgorithm(PublicKeyKind)
}

extension RecipeError: CustomStringConvertible {
  /// A stable name of the case, as in `recipe-value`.
  public var code: String {
    switch self {
    case .backend: "recipe-backend"
    case .invalidValue: "recipe-value"
    case .noElement: "recipe-patch"
    case .noUsualAlgorithm: "recipe-algorithm"
    }
  }

  /// What could not be made, and why.
  public var description: String {
    switch self {
    case .backend(let error): "\(error)"
    case .invalidValue(let field, let reason): "\(field): \(reason)"
    case .noElement(let path):
      "patch: there is no element at the path \(path.map(String.init).joined(separator: "."))"
    case .noUsualAlgorithm(let kind): "signature: a key of kind \(kind) cannot sign here; use a key of another kind"
    }
  }
}
