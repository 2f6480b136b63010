// SPDX-License-Identifier: Apache-2.0

/// Reads Apple's binary property lists (`bplist00`). Objects may be shared, so what they unfold to is bounded, not only
/// what is in the file.
package struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let file: String
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let rootIndex: Int
  private let tableOffset: Int
  private var visited = 0

  /// Whether the octets begin as a binary property list does.
  static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
    self.bytes = bytes
    self.file = file
    func broken(_ offset: Int, _ message: String) -> ConfigurationError {
      ConfigurationError(.syntax, at: SourcePosition(file: file, line: 1, column: offset + 1), message)
    }
    guard bytes.starts(with: "bplist00".utf8) else {
      throw broken(0, "only version 00 of binary property lists is read")
    }
    guard bytes.count >= 40 else { throw broken(bytes.count, "the binary property list is cut off") }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize,
      let count = Self.integer(bytes, trailer + 8, 8), let root = Self.integer(bytes, trailer + 16, 8),
      let table = Self.integer(bytes, trailer + 24, 8)
    else { throw broken(trailer, "the trailer of the binary property list is broken") }
    guard count > 0, root < count, table >= 8, table < trailer, count <= (trailer - table) / offsetSize else {
      throw broken(
        trailer, "the trailer of the binary property list does not fit its size, as if the file were cut off")
    }
    self.count = count
    self.rootIndex = root
    self.tableOffset = table
  }

  /// The root value.
  mutating func root() throws(ConfigurationError) -> DocumentNode { try object(rootIndex, depth: 0) }

  private func position(_ offset: Int) -> SourcePosition { SourcePosition(file: file, line: 1, column: offset + 1) }

  private func broken(_ offset: Int, _ message: String) -> ConfigurationError {
    ConfigurationError(.syntax, at: position(offset), message)
  }

  private mutating func object(_ index: Int, depth: Int) throws(ConfigurationError) -> DocumentNode {
    guard index < count, let offset = Self.integer(bytes, tableOffset + index * offsetSize, offsetSize),
      offset < tableOffset
    else { throw broken(tableOffset, "the binary property list refers to an object that is not there") }
    visited += 1
    guard depth < DocumentLimits.depth, visited <= DocumentLimits.nodes / 4 else {
      throw ConfigurationError(
        .limitExceeded, at: position(offset),
        "more than \(DocumentLimits.depth) levels or \(DocumentLimits.nodes / 4) values are not read")
    }
    let marker = bytes[offset]
    let value: DocumentNode.Value
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x00: value = .null
      case 0x08: value = .boolean(false)
      case 0x09: value = .boolean(true)
      default: throw broken(offset, "the binary property list has an object of unknown kind")
      }
    case 0x1:
      guard let number = Self.integer(bytes, offset + 1, 1 << Int(min(marker & 15, 4))) else {
        throw broken(offset, "a number of the binary property list is cut off or too large")
      }
      value = .number(String(number))
    case 0x2: value = .other("a real number")
    case 0x3: value = .other("a date")
    case 0x4: value = .other("data")
    case 0x5, 0x6:
      let (length, start) = try size(offset)
      let width = marker >> 4 == 0x5 ? 1 : 2
      guard length <= (tableOffset - start) / width, start <= tableOffset else {
        throw broken(offset, "a string of the binary property list is cut off")
      }
      value = .string(Self.text(bytes[start..<start + length * width], width: width))
    case 0xA, 0xC:
      var items: [DocumentNode] = []
      for reference in try references(offset, lists: 1) { items.append(try object(reference, depth: depth + 1)) }
      value = .array(items)
    case 0xD:
      let all = try references(offset, lists: 2)
      var members: [DocumentNode.Member] = []
      for (key, item) in zip(all.prefix(all.count / 2), all.dropFirst(all.count / 2)) {
        let keyNode = try object(key, depth: depth + 1)
        guard case .string(let name) = keyNode.value else {
          throw broken(offset, "a key of the binary property list is not a string")
        }
        members.append(
          DocumentNode.Member(key: name, keyPosition: keyNode.position, value: try object(item, depth: depth + 1)))
      }
      value = .object(members)
    default: value = .other("an object that no pin configuration has")
    }
    return DocumentNode(value: value, position: position(offset))
  }

  /// The number of parts of an object and where they begin.
  private func size(_ offset: Int) throws(ConfigurationError) -> (count: Int, start: Int) {
    let low = Int(bytes[offset] & 15)
    guard low == 15 else { return (low, offset + 1) }
    guard offset + 1 < tableOffset, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 15 <= 3,
      let count = Self.integer(bytes, offset + 2, 1 << Int(bytes[offset + 1] & 15))
    else { throw broken(offset, "the size of an object of the binary property list is broken") }
    return (count, offset + 2 + 1 << Int(bytes[offset + 1] & 15))
  }

  private func references(_ offset: Int, lists: Int) throws(ConfigurationError) -> [Int] {
    let (count, start) = try size(offset)
    guard start <= tableOffset, count <= (tableOffset - start) / referenceSize / lists else {
      throw broken(offset, "a collection of the binary property list is cut off")
    }
    var result: [Int] = []
    for index in 0..<count * lists {
      guard let reference = Self.integer(bytes, start + index * referenceSize, referenceSize) else {
        throw broken(offset, "a reference of the binary property list is too large")
      }
      result.append(reference)
    }
    return result
  }

  /// A big-endian number that fits Int and lies inside the octets.
  private static func integer(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, size > 0, offset <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for octet in bytes[offset..<offset + size] {
      guard value >> 55 == 0 else { return nil }
      value = value << 8 | UInt64(octet)
    }
    return Int(exactly: value)
  }

  private static func text(_ octets: ArraySlice<UInt8>, width: Int) -> String {
    guard width == 2 else { return String(decoding: octets, as: UTF8.self) }
    let units = stride(from: octets.startIndex, to: octets.endIndex, by: 2).map {
      UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
