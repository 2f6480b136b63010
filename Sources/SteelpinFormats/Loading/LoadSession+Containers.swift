// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// Containers of certificates: PKCS#7, PKCS#12 and Java key stores.
extension LoadSession {
  // MARK: PKCS#7

  /// Takes every certificate of SignedData (RFC 5652 5.1); no signature is checked, since none vouches for a member.
  mutating func loadPKCS7(_ value: ArraySlice<UInt8>, at place: FilePlace) throws(LoadError) {
    let members: [PKCS7.Member]
    do throws(DERError) {
      members = try PKCS7.members(of: value)
    } catch {
      throw LoadError(
        .malformedContainer, place, "the PKCS#7 is damaged: \(error)", remedy: "get the file again from its source")
    }
    let before = file.certificates.count + file.others.count
    for (index, member) in members.enumerated() {
      // Offsets inside a PEM block are those of decoded bytes, so only the number of the member is told.
      var origin = place
      origin.block = index + 1
      if place.line == nil { origin.offset = place.offset + member.encoded.startIndex - value.startIndex }
      switch member.kind {
      case .certificate: try addCertificate(Array(member.encoded), at: origin)
      case .revocationList: addItem(.revocationList, Array(member.encoded), at: origin)
      case .other: addItem(.other, [], at: origin)
      }
    }
    guard file.certificates.count + file.others.count > before else {
      throw LoadError(
        .notCertificate, place, "holds PKCS#7 without certificates",
        reason: "a signature can be made without the signer's certificate in it",
        remedy: "ask for the certificates, or sign without openssl's -nocerts")
    }
  }

  // MARK: PKCS#12

  mutating func loadPKCS12(_ der: [UInt8], at place: FilePlace) throws(LoadError) {
    guard let codec = loader.pkcs12 else {
      throw LoadError(
        .backendUnavailable, place, "is a PKCS#12 file, and no library to open one is compiled in",
        remedy: "export it:  openssl pkcs12 -in \(name) -nokeys -out certificates.pem")
    }
    let contents: PKCS12Contents
    do throws(PKCS12Error) {
      contents = try codec.open(pkcs12: der, password: loader.password ?? [])
    } catch {
      throw Self.explain(error, place, hasPassword: loader.password != nil)
    }
    if loader.password == nil { note(.emptyPassword, place) }
    if contents.usesLegacyEncryption { note(.legacyEncryption, place) }
    for (index, certificate) in contents.certificates.enumerated() {
      var origin = place
      origin.block = index + 1
      try addCertificate(certificate, at: origin)
    }
    for _ in contents.privateKeys { addItem(.privateKey, [], at: place) }
    guard !contents.certificates.isEmpty || !contents.privateKeys.isEmpty else {
      throw LoadError(
        .notCertificate, place, "holds PKCS#12 without certificates", remedy: "export it again, with the certificate")
    }
  }

  private static func explain(_ error: PKCS12Error, _ place: FilePlace, hasPassword: Bool) -> LoadError {
    switch error {
    case .backend(let backend):
      LoadError(
        .backendUnavailable, place, "the PKCS#12 file could not be opened (\(backend.operation))",
        remedy: "try the other backend, or export it with openssl pkcs12", native: backend.native)
    case .malformed(let native):
      LoadError(
        .malformedContainer, place, "the PKCS#12 file is damaged", remedy: "export it again from its source",
        native: native)
    case .tooManyIterations(let rounds):
      LoadError(
        .tooManyIterations, place,
        "the PKCS#12 file wants \(rounds == .max ? "countless" : "\(rounds)") rounds of key derivation",
        reason: "more than \(PKCS12Rounds.limit) for one key, or \(PKCS12Rounds.total) in all, only waste time",
        remedy: "export it again, with 600000 rounds or fewer")
    case .unsupportedAlgorithm(let native):
      LoadError(
        .unsupported, place, "the PKCS#12 file uses an algorithm that the library does not have",
        reason: "it is damaged, or from before or after the library's time",
        remedy: "export it again; RC2 and RC4 need OpenSSL's legacy provider", native: native)
    case .wrongPassword:
      hasPassword
        ? LoadError(
          .wrongPassword, place, "the password does not open this PKCS#12 file",
          remedy: "check the password; a line break at the end of a password file is not part of it")
        : LoadError(
          .passwordRequired, place, "this PKCS#12 file needs a password",
          remedy: "give it with --password-file FILE, or - for a prompt; never as an argument, which others can see")
    }
  }

  // MARK: Java

  mutating func loadKeyStore(_ bytes: [UInt8]) throws(LoadError) {
    let start = FilePlace(file: name)
    let entries: [JavaKeyStore.Entry]
    do throws(JavaKeyStore.Fault) {
      entries = try JavaKeyStore.entries(of: bytes)
    } catch {
      throw explain(error, start)
    }
    if let password = loader.password {
      guard JavaKeyStore.isIntact(bytes, password: password) else {
        throw LoadError(
          .wrongPassword, start, "the password does not fit this key store, or the store was changed",
          remedy: "check the password; without one the certificates are read and the check sum is not checked")
      }
    } else {
      note(.integrityUnchecked, start)
    }
    for (index, entry) in entries.enumerated() {
      var place = FilePlace(file: name, block: index + 1, offset: entry.offset, alias: entry.alias)
      switch entry.content {
      case .certificate(let type, let range):
        guard type == "X.509" || type == "X509" else {
          addItem(.other, [], at: place)
          continue
        }
        place.offset = range.lowerBound
        try addCertificate(Array(bytes[range]), at: place)
      case .privateKey: addItem(.privateKey, [], at: place)
      }
    }
    guard !file.certificates.isEmpty || !file.others.isEmpty else {
      throw LoadError(
        .notCertificate, start, "holds a Java key store without entries", remedy: "check that it is the file you mean")
    }
  }

  private func explain(_ fault: JavaKeyStore.Fault, _ start: FilePlace) -> LoadError {
    var place = start
    place.offset = fault.offset
    switch fault.reason {
    case .secretKey:
      return LoadError(
        .unsupported, place, "the key store has a secret key, behind which its format cannot be read without Java",
        remedy: "export the certificates:  keytool -list -rfc -keystore \(name)")
    case .damaged(let what):
      return LoadError(
        .malformedContainer, place, "the key store is damaged: \(what)", remedy: "get the file again from its source")
    }
  }
}
