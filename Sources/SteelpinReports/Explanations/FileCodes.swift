// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about files that cannot be loaded or written.
  static let fileCodes: [Explanation] = [
    Explanation(
      "bad-base64", "a character cannot stand in base64, or the base64 is incomplete",
      why: "a byte less or other would be another certificate", mend: "copy the block again, whole and unchanged",
      clause: "RFC 4648 4, RFC 7468 3"),
    Explanation(
      "boundary-damaged", "a line is nearly but not quite a PEM boundary",
      why: "a tool that passes over it would lose a certificate without saying so",
      mend: "write -----BEGIN CERTIFICATE----- with five hyphens on either side", clause: "RFC 7468 2"),
    Explanation(
      "directory", "a directory stands where a file is wanted",
      why: "which of its files is meant cannot be told", mend: "name a file in it"),
    Explanation(
      "empty", "the file is empty", why: "an empty file would be an empty set of anchors or pins, which is a mistake",
      mend: "check the command that should have written it"),
    Explanation(
      "end-mismatch", "an END line has no BEGIN line, or another label than it", why: "a part of the file is missing",
      mend: "copy the file again", clause: "RFC 7468 2"),
    Explanation(
      "end-missing", "a block has no END line", why: "the file was cut short", mend: "copy the file again",
      clause: "RFC 7468 2"),
    Explanation("file-missing", "there is no such file", why: "nothing was read", mend: "check the path"),
    Explanation(
      "input-output", "reading or writing failed", why: "the system's own reason is in the message",
      mend: "mend that first"),
    Explanation(
      "malformed-certificate", "the DER of a certificate is broken",
      why: "no library accepts it, and to pass over it would shorten the list without saying so",
      mend: "get the certificate from its issuer again", clause: "RFC 5280 4.1"),
    Explanation(
      "malformed-container", "a PKCS#7, PKCS#12 or key store file is damaged",
      why: "what it should hold cannot be told",
      mend: "export it again", clause: "RFC 5652, RFC 7292"),
    Explanation(
      "too-many-iterations", "an encrypted file asks for more rounds of key derivation than any honest file has",
      why: "the rounds are run before the password is known to be right, so such a file stops whoever opens it",
      mend: "export the file again, with 600000 rounds or fewer", clause: "RFC 8018 5.2, RFC 7292 4"),
    Explanation(
      "not-a-certificate", "the file holds something else than a certificate",
      why: "a key, a request or a list of revocations cannot be an anchor or a leaf",
      mend: "give the file with the certificate; 'steelpin inspect' says what a file holds"),
    Explanation(
      "output-exists", "the file exists already", why: "it would be overwritten",
      mend: "choose another name, or remove it"),
    Explanation(
      "password-required", "the file is protected with a password", why: "its certificates are encrypted",
      mend: "write the password to a file and name that with --password-file", clause: "RFC 7292"),
    Explanation("permission", "there is no permission", why: "nothing was read or written", mend: "change the mode"),
    Explanation(
      "strict", "strict loading forgives nothing", why: "the message says what would have been forgiven",
      mend: "repair the file"),
    Explanation(
      "timeout", "the server or pipe did not answer in time",
      why: "a host or program hangs, or a firewall drops packets",
      mend: "check host, port and firewall, or raise --max-time; for a pipe, check the program that writes to it"),
    Explanation(
      "too-large", "the file is larger than any file of certificates", why: "it would only fill the memory",
      mend: "check that it is the file you mean"),
    Explanation(
      "truncated", "a value ends before it should", why: "the file was cut short", mend: "copy the file again"),
    Explanation(
      "unknown-content", "the bytes are of no known kind",
      why: "PEM, DER, PKCS#7, PKCS#12 and Java key stores are known",
      mend: "convert the file, or check that it is the one you mean"),
    Explanation(
      "unsupported", "a known format is not read", why: "the message says which",
      mend: "convert the file to PEM with the tool that made it"),
    Explanation(
      "wrong-password", "the password does not fit", why: "its certificates are encrypted",
      mend: "check the file of --password-file: its first line is the password", clause: "RFC 7292"),
  ]

  /// Codes of what was forgiven in a file.
  static let fileNotes: [Explanation] = [
    Explanation(
      "bare-base64", "base64 without BEGIN and END", why: "most tools do not read it", mend: "add the two lines",
      clause: "RFC 7468 2"),
    Explanation(
      "broken-entry", "a broken certificate among the system's anchors was passed over",
      why: "one bad file must not cost the others; it is not trusted",
      mend: "run update-ca-certificates, or remove the file"),
    Explanation(
      "byte-order-mark", "the text begins with a byte order mark", why: "some tools stumble over it",
      mend: "save the file without it"),
    Explanation(
      "carriage-returns", "lines end with CR alone", why: "some tools see one long line", mend: "convert the line ends"),
    Explanation(
      "concatenated-der", "DER values stand one after the other", why: "most tools read only the first",
      mend: "use PEM for several certificates"),
    Explanation(
      "contains-private-key", "the file holds a private key, too",
      why: "whoever can read the certificates can read the key; Steelpin did not read it",
      mend: "keep keys and certificates in different files"),
    Explanation(
      "duplicate", "the same certificate stands in the file before", why: "it counts once", mend: "remove it"),
    Explanation(
      "empty-password", "the file was opened with the empty password", why: "it protects nothing",
      mend: "protect the file with a password if it holds a key"),
    Explanation(
      "escaped-newlines", "\\n stands where lines should end", why: "the text was taken out of JSON or a variable",
      mend: "write real line ends"),
    Explanation(
      "indented", "the lines of a block are indented", why: "some tools stumble over it", mend: "remove the spaces"),
    Explanation(
      "integrity-unchecked", "the check sum of a key store was not checked", why: "that needs its password",
      mend: "give --password-file"),
    Explanation(
      "legacy-encryption", "RC2, RC4, DES or 3DES protects a PKCS#12 file",
      why: "they are weak, and OpenSSL 3 refuses them",
      mend: "export it again with AES"),
    Explanation(
      "no-hashed-files", "no file of a directory is named by a subject's hash", why: "OpenSSL uses no other file there",
      mend: "run 'openssl rehash' on the directory"),
    Explanation(
      "quoted", "quotation marks stand around the text", why: "it was taken out of a program", mend: "remove them"),
    Explanation(
      "spaces-for-newlines", "spaces stand where lines should end", why: "the text was taken out of a variable",
      mend: "quote the variable where the file is written"),
    Explanation(
      "trailing-bytes", "bytes follow the end of a DER value", why: "tools differ in what they make of them",
      mend: "cut them off"),
    Explanation(
      "trust-attributes-ignored", "OpenSSL's trust attributes were ignored", why: "only OpenSSL knows them",
      mend: "write the certificate as CERTIFICATE, not as TRUSTED CERTIFICATE"),
    Explanation("utf-16", "the text is UTF-16", why: "most tools do not read it", mend: "save it as UTF-8"),
  ]
}
