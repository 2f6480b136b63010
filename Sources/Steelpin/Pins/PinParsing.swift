// SPDX-License-Identifier: Apache-2.0

extension Pin {
  /// Parses a pin: `sha256/BASE64` (OkHttp), `sha256//BASE64` (curl), `sha256:HEX`, 44 characters of base64 or 64
  /// hexadecimal digits alone for a public key; `cert-sha256/` before base64 or hexadecimal for a whole certificate.
  ///
  /// Throws ``PinError``; a wrong spelling is never taken for another pin.
  public init(parsing text: some StringProtocol) throws(PinError) {
    guard !text.isEmpty else { throw PinError(.empty, in: text) }
    var value = text[...]
    var subject = Subject.publicKey
    // Base64 alone may begin like the name of an algorithm and have a slash behind it.
    if !Self.isDigest(value), let separator = value.firstIndex(where: { $0 == "/" || $0 == ":" }),
      value[..<separator].utf8.count <= 16,
      Self.isAlgorithmName(value[..<separator])
    {
      switch value[..<separator].lowercased() {
      case "sha256", "pin-sha256": subject = .publicKey
      case "cert-sha256": subject = .certificate
      case let other: throw PinError(.unsupportedAlgorithm(other), in: text)
      }
      value = value[value.index(after: separator)...]
      // The second slash of curl's spelling; but one base64 of 64 begins with a slash itself.
      if value.first == "/", !Self.isDigest(value) { value = value.dropFirst() }
    }
    self.init(subject, try Self.digest(value, of: text))
  }

  /// Whether the text is the base64 of 32 octets.
  private static func isDigest(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 44 && Base64.decode(Array(text.utf8))?.count == 32
  }

  /// An algorithm's name has letters, a digit, and perhaps hyphens.
  private static func isAlgorithmName(_ text: some StringProtocol) -> Bool {
    let known = ["sha", "md", "cert-", "pin-", "spki"]
    return known.contains { text.lowercased().hasPrefix($0) }
  }

  private static func digest(_ value: some StringProtocol, of text: some StringProtocol) throws(PinError)
    -> SHA256Digest
  {
    let characters = Array(value.utf8)
    guard !characters.isEmpty else { throw PinError(.empty, in: text) }
    // 64 hexadecimal digits are also base64 of 48 bytes, so the length decides, never a guess.
    if characters.count == 64, let octets = Hex.decode(characters), let digest = SHA256Digest(octets: octets) {
      return digest
    }
    if let octets = Hex.decode(characters.filter { $0 != UInt8(ascii: ":") }), octets.count == 32 {
      throw PinError(.fingerprint, in: text)
    }
    guard let octets = Base64.decode(characters) else {
      throw PinError(Self.spelling(characters), in: text)
    }
    guard let digest = SHA256Digest(octets: octets) else { throw PinError(.wrongLength(octets.count), in: text) }
    return digest
  }

  private static func spelling(_ characters: [UInt8]) -> PinError.Reason {
    let urlSafe = characters.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let standard = characters.map { octet in
      octet == UInt8(ascii: "-") ? UInt8(ascii: "+") : octet == UInt8(ascii: "_") ? UInt8(ascii: "/") : octet
    }
    let padded = standard + [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
    guard let octets = Base64.decode(padded), octets.count == 32 else { return .notBase64 }
    let right = Base64.encode(octets)
    return urlSafe ? .base64URL(right) : .missingPadding(right)
  }
}

/// Why text is not a pin.
public struct PinError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case base64URL(String)
    case empty
    case fingerprint
    case missingPadding(String)
    case notBase64
    case unsupportedAlgorithm(String)
    case wrongLength(Int)
  }

  package let reason: Reason
  /// The text that was given.
  public let text: String

  init(_ reason: Reason, in text: some StringProtocol) {
    self.reason = reason
    self.text = String(text)
  }

  /// What is wrong, in words.
  public var description: String {
    switch reason {
    case .base64URL: "pin '\(text)' is base64url, which no client accepts as a pin"
    case .empty: "the pin is empty"
    case .fingerprint: "pin '\(text)' has colons, as openssl prints the fingerprint of a certificate"
    case .missingPadding: "pin '\(text)' lacks its base64 padding"
    case .notBase64: "pin '\(text)' is neither base64 nor 64 hexadecimal digits"
    case .unsupportedAlgorithm(let name): "pin '\(text)' uses \(name), which is not supported"
    case .wrongLength(let count): "pin '\(text)' has \(count) bytes, not the 32 of SHA-256"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch reason {
    case .base64URL(let right), .missingPadding(let right): "write it as sha256/\(right)"
    case .empty, .notBase64: "a pin looks like sha256/ and 44 characters of base64; 'steelpin pin show HOST' prints it"
    case .fingerprint:
      "pin the key, which 'steelpin pin show' prints; or, for the whole certificate, write cert-sha256/ without colons"
    case .unsupportedAlgorithm: "pin the SHA-256 of the public key; 'steelpin pin show HOST' prints it"
    case .wrongLength(20): "this is a SHA-1; pin the SHA-256 of the public key instead"
    case .wrongLength: "a SHA-256 has 32 bytes: 44 characters of base64 or 64 hexadecimal digits"
    }
  }
}
