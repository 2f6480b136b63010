// SPDX-License-Identifier: Apache-2.0
internal import SteelpinFormats

/// The names of the files that `--split` writes.
enum SplitName {
  /// As many digits as it takes to number so many files, at least two.
  static func digits(forCount count: Int) -> Int { max(2, String(max(0, count - 1)).count) }

  /// As in `00-leaf-api.example.test.pem`.
  static func of(_ label: CertificateLabel, _ index: Int, digits: Int, _ format: CertificateFormat) -> String {
    let role = !label.isAuthority ? "leaf" : label.isRoot ? "root" : "intermediate"
    let number = String(index)
    let padding = String(repeating: "0", count: max(0, digits - number.count))
    return "\(padding)\(number)-\(role)-\(label.name).\(format.fileExtension)"
  }
}

/// A number with its noun.
enum Counted {
  /// As in `1 certificate` and `2 certificates`.
  static func text(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension Invocation {
  /// Writes bytes to standard output.
  func emit(_ bytes: [UInt8]) throws(LoadError) {
    guard console.write(bytes, .output) else { throw LoadError.standardOutput }
  }
}
