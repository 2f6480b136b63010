// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Reads pins as formats spell them, and says of a wrong spelling what was meant.
extension ReadingSession {
  /// A pin that must be base64 of 32 octets and nothing else; `prefix` is what a right spelling has before it.
  mutating func pin(
    base64 text: String, at position: SourcePosition, prefix: String = "", subject: Pin.Subject = .publicKey
  ) -> ConfiguredPin {
    let octets = Array(text.utf8)
    if let bytes = Base64.decode(octets), let digest = SHA256Digest(octets: bytes) {
      return ConfiguredPin(.sha256(Pin(subject, digest)), text: prefix + text, position: position)
    }
    report(malformed: octets, text: text, prefix: prefix, at: position)
    return ConfiguredPin(.malformed, text: prefix + text, position: position)
  }

  private mutating func report(malformed octets: [UInt8], text: String, prefix: String, at position: SourcePosition) {
    let shown = text.count > 100 ? text.prefix(100) + "…" : text[...]
    if octets.isEmpty {
      return error(.pinMalformed, position, "the pin is empty", hint: "remove it, or write a pin")
    }
    if octets.count == 64, let bytes = Hex.decode(octets) {
      return error(
        .pinHex, position, "the pin '\(shown)' is hexadecimal, where this format wants base64",
        hint: "write \(prefix)\(Base64.encode(bytes))")
    }
    // Base64 may begin with a slash itself, and is then not behind the two of curl.
    let slashes = text.utf8.count == 51 ? ["sha256/"] : ["sha256//", "sha256/"]
    for spelling in slashes + ["sha-256=", "sha256:"] where prefix.isEmpty && text.hasPrefix(spelling) {
      return error(
        .pinMalformed, position, "the pin '\(shown)' begins with '\(spelling)', which this format does not know",
        hint: "write \(text.dropFirst(spelling.count))")
    }
    if let bytes = Base64.decode(octets) {
      let what = [16: ", the length of MD5", 20: ", the length of SHA-1", 64: ", the length of SHA-512"][bytes.count]
      return error(
        .pinWrongLength, position, "the pin '\(shown)' has \(bytes.count) octets\(what ?? ""), not the 32 of SHA-256",
        hint: "pin the SHA-256 of the public key; 'steelpin pin show HOST' prints it")
    }
    let standard = octets.map {
      $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
    }
    let bare = standard.prefix { $0 != UInt8(ascii: "=") }
    let padded = Array(bare) + [UInt8](repeating: UInt8(ascii: "="), count: (4 - bare.count % 4) % 4)
    if let bytes = Base64.decode(padded), bytes.count == 32, padded.count - octets.count <= 1 {
      let isURL = standard != octets
      return error(
        isURL ? .pinBase64URL : .pinMissingPadding, position,
        "the pin '\(shown)' \(isURL ? "is base64url, not base64" : "lacks its padding")",
        hint: "write \(prefix)\(Base64.encode(bytes))")
    }
    error(
      .pinMalformed, position, "the pin '\(shown)' is not base64",
      hint: "a pin is 44 characters of base64; 'steelpin pin show HOST' prints it")
  }
}

/// Reads hosts as formats spell them.
extension ReadingSession {
  /// The name of a host that must be written without scheme, port and wildcard; reports what is wrong with it. Nil if
  /// no host can be made out.
  mutating func hostName(_ text: String, at position: SourcePosition, in format: String) -> String? {
    if text.contains("://") || text.contains("/") {
      error(
        .hostIsURL, position, "'\(text)' is a URL, not a host", hint: "write the host alone: \(Self.bareHost(text))")
      return nil
    }
    if text.contains("*") {
      error(
        .hostWildcard, position, "'\(text)' has a wildcard that \(format) does not know",
        hint: "write the name below which hosts are meant, and the option of \(format) for its subdomains")
      return nil
    }
    do throws(HostNameError) {
      let host = try HostName(text)
      if host.isIPAddress {
        warning(
          .hostIsAddress, position, "'\(text)' is an address; \(format) pins names",
          hint: "pin the name of the server")
      }
      return host.description
    } catch {
      if text.contains(":") {
        self.error(.hostHasPort, position, "'\(text)' has a port", hint: "write the host alone: \(Self.bareHost(text))")
      } else {
        self.error(.hostMalformed, position, error.description, hint: "write the name of a host")
      }
      return nil
    }
  }

  /// Reports a name that the platform compares letter by letter with the name of a connection, and that is not written
  /// as such a name is: it is for no host. `host` is what was made out of it.
  mutating func refuseOtherSpelling(
    _ text: String, of host: String, at position: SourcePosition, in format: String, ignoringCase: Bool = false
  ) {
    guard (ignoringCase ? text.lowercased() : text) != host else { return }
    error(
      .hostMalformed, position, "'\(text)' is compared letter by letter by \(format), so it is for no host",
      hint: "write \(host)")
  }

  /// Reports a name with a dot at its end, which no name of a connection has when it is compared.
  mutating func refuseFinalDot(_ text: String, at position: SourcePosition, in format: String) {
    guard text.hasSuffix(".") else { return }
    error(
      .hostMalformed, position, "'\(text)' ends with a dot, so it is for no host of \(format)",
      hint: "write \(text.dropLast())")
  }

  /// What is left of a URL or of host and port when everything but the host is gone.
  static func bareHost(_ text: String) -> String {
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let colon = rest.firstIndex(of: ":") { rest = rest[..<colon] }
    return String(rest)
  }

  /// A date that must be `yyyy-MM-dd`; reports another.
  mutating func date(_ text: String, at position: SourcePosition, consequence: String) -> PinExpiry {
    let isDay = text.utf8.count == 10 && text.utf8.filter { $0 == UInt8(ascii: "-") }.count == 2
    let time = isDay ? Timestamp(text) : nil
    if time == nil {
      error(
        .expiryMalformed, position, "'\(text)' is no date of the form 2027-03-01: \(consequence)",
        hint: "write year, month and day, as in 2027-03-01")
    }
    return PinExpiry(time: time, text: text, position: position)
  }
}
