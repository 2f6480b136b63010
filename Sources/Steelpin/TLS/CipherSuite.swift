// SPDX-License-Identifier: Apache-2.0

/// A cipher suite of IANA's "TLS Cipher Suites" registry.
package struct CipherSuite: Hashable, Sendable {
  /// The number on the wire.
  package let code: UInt16
  /// The name in the registry.
  package let name: String

  private init(_ code: UInt16, _ name: String) {
    self.code = code
    self.name = name
  }

  /// The name of a suite that a server chose; by number if it is none of those that are offered.
  package static func name(of code: UInt16) -> String {
    for suite in offered where suite.code == code { return suite.name }
    return "0x" + String(code, radix: 16, uppercase: true)
  }

  /// What every engine offers as far as its library can, in this order, so that a server that honours the client's
  /// preference chooses the same with each. Servers are looked at, not trusted with secrets, so weak suites are in it;
  /// suites without authentication are not, for they carry no certificate.
  package static let offered: [CipherSuite] = [
    CipherSuite(0x1302, "TLS_AES_256_GCM_SHA384"),
    CipherSuite(0x1303, "TLS_CHACHA20_POLY1305_SHA256"),
    CipherSuite(0x1301, "TLS_AES_128_GCM_SHA256"),
    CipherSuite(0x1304, "TLS_AES_128_CCM_SHA256"),
    CipherSuite(0x1305, "TLS_AES_128_CCM_8_SHA256"),
    CipherSuite(0xC02C, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"),
    CipherSuite(0xCCA9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"),
    CipherSuite(0xC02B, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
    CipherSuite(0xC0AD, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM"),
    CipherSuite(0xC0AC, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM"),
    CipherSuite(0xC0AF, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8"),
    CipherSuite(0xC0AE, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8"),
    CipherSuite(0xC087, "TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_GCM_SHA384"),
    CipherSuite(0xC086, "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_GCM_SHA256"),
    CipherSuite(0xC024, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"),
    CipherSuite(0xC00A, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"),
    CipherSuite(0xC023, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"),
    CipherSuite(0xC009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"),
    CipherSuite(0xC073, "TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384"),
    CipherSuite(0xC072, "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256"),
    CipherSuite(0xC008, "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA"),
    CipherSuite(0xC007, "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA"),
    CipherSuite(0xC030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
    CipherSuite(0xCCA8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
    CipherSuite(0xC02F, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
    CipherSuite(0xC08B, "TLS_ECDHE_RSA_WITH_CAMELLIA_256_GCM_SHA384"),
    CipherSuite(0xC08A, "TLS_ECDHE_RSA_WITH_CAMELLIA_128_GCM_SHA256"),
    CipherSuite(0xC028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"),
    CipherSuite(0xC014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"),
    CipherSuite(0xC027, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"),
    CipherSuite(0xC013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"),
    CipherSuite(0xC077, "TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384"),
    CipherSuite(0xC076, "TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256"),
    CipherSuite(0xC012, "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"),
    CipherSuite(0xC011, "TLS_ECDHE_RSA_WITH_RC4_128_SHA"),
    CipherSuite(0x009F, "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"),
    CipherSuite(0xCCAA, "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
    CipherSuite(0x009E, "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"),
    CipherSuite(0xC09F, "TLS_DHE_RSA_WITH_AES_256_CCM"),
    CipherSuite(0xC09E, "TLS_DHE_RSA_WITH_AES_128_CCM"),
    CipherSuite(0xC0A3, "TLS_DHE_RSA_WITH_AES_256_CCM_8"),
    CipherSuite(0xC0A2, "TLS_DHE_RSA_WITH_AES_128_CCM_8"),
    CipherSuite(0xC07D, "TLS_DHE_RSA_WITH_CAMELLIA_256_GCM_SHA384"),
    CipherSuite(0xC07C, "TLS_DHE_RSA_WITH_CAMELLIA_128_GCM_SHA256"),
    CipherSuite(0x006B, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256"),
    CipherSuite(0x0039, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA"),
    CipherSuite(0x0067, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256"),
    CipherSuite(0x0033, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA"),
    CipherSuite(0x00C4, "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256"),
    CipherSuite(0x0088, "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA"),
    CipherSuite(0x00BE, "TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA256"),
    CipherSuite(0x0045, "TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA"),
    CipherSuite(0x0016, "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA"),
    CipherSuite(0x00A3, "TLS_DHE_DSS_WITH_AES_256_GCM_SHA384"),
    CipherSuite(0x00A2, "TLS_DHE_DSS_WITH_AES_128_GCM_SHA256"),
    CipherSuite(0xC081, "TLS_DHE_DSS_WITH_CAMELLIA_256_GCM_SHA384"),
    CipherSuite(0xC080, "TLS_DHE_DSS_WITH_CAMELLIA_128_GCM_SHA256"),
    CipherSuite(0x006A, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA256"),
    CipherSuite(0x0038, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA"),
    CipherSuite(0x0040, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA256"),
    CipherSuite(0x0032, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA"),
    CipherSuite(0x00C3, "TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA256"),
    CipherSuite(0x0087, "TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA"),
    CipherSuite(0x00BD, "TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA256"),
    CipherSuite(0x0044, "TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA"),
    CipherSuite(0x0013, "TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA"),
    CipherSuite(0x0066, "TLS_DHE_DSS_WITH_RC4_128_SHA"),
    CipherSuite(0x009D, "TLS_RSA_WITH_AES_256_GCM_SHA384"),
    CipherSuite(0x009C, "TLS_RSA_WITH_AES_128_GCM_SHA256"),
    CipherSuite(0xC09D, "TLS_RSA_WITH_AES_256_CCM"),
    CipherSuite(0xC09C, "TLS_RSA_WITH_AES_128_CCM"),
    CipherSuite(0xC0A1, "TLS_RSA_WITH_AES_256_CCM_8"),
    CipherSuite(0xC0A0, "TLS_RSA_WITH_AES_128_CCM_8"),
    CipherSuite(0xC07B, "TLS_RSA_WITH_CAMELLIA_256_GCM_SHA384"),
    CipherSuite(0xC07A, "TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256"),
    CipherSuite(0x003D, "TLS_RSA_WITH_AES_256_CBC_SHA256"),
    CipherSuite(0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA"),
    CipherSuite(0x003C, "TLS_RSA_WITH_AES_128_CBC_SHA256"),
    CipherSuite(0x002F, "TLS_RSA_WITH_AES_128_CBC_SHA"),
    CipherSuite(0x00C0, "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256"),
    CipherSuite(0x0084, "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA"),
    CipherSuite(0x00BA, "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256"),
    CipherSuite(0x0041, "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA"),
    CipherSuite(0x000A, "TLS_RSA_WITH_3DES_EDE_CBC_SHA"),
    CipherSuite(0x0005, "TLS_RSA_WITH_RC4_128_SHA"),
  ]
}
