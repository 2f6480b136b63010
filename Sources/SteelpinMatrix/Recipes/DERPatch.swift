// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// A change to one element somewhere inside DER; the lengths around it are made right again.
///
/// A path counts children from zero: `[0, 4, 1]` is the second child of the fifth child of the first child of the
/// outermost element, and `[]` that element itself. It goes through constructed elements, and through octet strings and
/// bit strings that hold DER, as extensions and keys do.
public struct DERPatch: Sendable, Hashable {
  /// What is done to the element.
  public enum Change: Sendable, Hashable {
    /// Bytes are put after it.
    case append([UInt8])
    /// Its last bit is inverted.
    case flipLastBit
    /// Bytes are put before it.
    case prepend([UInt8])
    /// It is left out.
    case remove
    /// Bytes take its place.
    case replace([UInt8])
    /// Its content is replaced, and its length made right.
    case setContent([UInt8])
    /// Its identifier octet is replaced.
    case setTag(UInt8)
  }

  /// The element.
  public var path: [Int]
  /// What is done to it.
  public var change: Change

  /// A change of the element at a path.
  public init(at path: [Int], _ change: Change) {
    self.path = path
    self.change = change
  }

  /// The bytes with the change.
  ///
  /// Throws ``RecipeError/noElement(path:)`` if there is no such element.
  public func applied(to der: [UInt8]) throws(RecipeError) -> [UInt8] {
    do {
      var reader = DERReader(der[...])
      let outer = try reader.read()
      return try rewrite(outer, path[...]) + der[reader.offset...]
    } catch { throw .noElement(path: path) }
  }

  private func rewrite(_ element: DERElement, _ path: ArraySlice<Int>) throws(DERError) -> [UInt8] {
    guard let index = path.first else { return apply(to: element) }
    // The octet that counts the unused bits of a bit string stands before what it holds.
    let skipped = element.tag == .bitString ? 1 : 0
    var reader =
      element.tag.isConstructed ? try element.reader() : DERReader(element.content.dropFirst(skipped))
    var content = Array(element.content.prefix(skipped))
    var position = 0
    while !reader.isAtEnd {
      let child = try reader.read()
      content += position == index ? try rewrite(child, path.dropFirst()) : Array(child.encoded)
      position += 1
    }
    guard index >= 0, index < position else { throw DERError(.truncated, at: element.encoded.startIndex) }
    return DER.element(element.tag, content)
  }

  private func apply(to element: DERElement) -> [UInt8] {
    var encoded = Array(element.encoded)
    switch change {
    case .append(let bytes): return encoded + bytes
    case .flipLastBit: encoded[encoded.count - 1] ^= 1
    case .prepend(let bytes): return bytes + encoded
    case .remove: return []
    case .replace(let bytes): return bytes
    case .setContent(let bytes): return DER.element(element.tag, bytes)
    case .setTag(let octet): encoded[0] = octet
    }
    return encoded
  }
}
