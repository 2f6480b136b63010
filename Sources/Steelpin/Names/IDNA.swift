// SPDX-License-Identifier: Apache-2.0
private import CIDN2

/// Internationalised domain names through libidn2.
enum IDNA {
  /// The A-label form of a name with U-labels, by IDNA 2008 with the mapping of UTS 46, not transitional; nil if the
  /// name is not allowed.
  static func toASCII(_ name: String) -> [UInt8]? {
    guard !name.utf8.contains(0) else { return nil }
    let flags = CInt(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
    var output: UnsafeMutablePointer<UInt8>?
    let result = unsafe name.withCString {
      unsafe $0.withMemoryRebound(to: UInt8.self, capacity: name.utf8.count + 1) {
        unsafe idn2_lookup_u8($0, &output, flags)
      }
    }
    defer { unsafe idn2_free(output) }
    guard result == IDN2_OK.rawValue, let output = unsafe output else { return nil }
    return Array(unsafe String(cString: output).utf8)
  }

  /// The U-label form of an A-label name, for display only; nil if it has none or is not valid.
  static func toUnicode(_ name: String) -> String? {
    guard name.contains("xn--"), !name.utf8.contains(0) else { return nil }
    var output: UnsafeMutablePointer<CChar>?
    let result = unsafe idn2_to_unicode_8z8z(name, &output, 0)
    defer { unsafe idn2_free(output) }
    guard result == IDN2_OK.rawValue, let output = unsafe output else { return nil }
    return unsafe String(cString: output)
  }
}

extension HostName {
  /// The name with its A-labels as U-labels, for people to read; nil if there are none. Never compare this form.
  public var unicodeText: String? {
    guard case .dns(let name) = self else { return nil }
    return IDNA.toUnicode(name.text)
  }
}
