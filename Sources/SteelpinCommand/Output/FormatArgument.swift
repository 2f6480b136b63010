// SPDX-License-Identifier: Apache-2.0

/// One `--format FORMAT[=FILE]`.
struct FormatArgument {
  let format: String
  /// Nil for standard output.
  let file: String?

  /// Sorts the arguments of all `--format`: each format is one of `known`, and no two share a file or standard output,
  /// where the later would destroy the earlier.
  static func parse(_ texts: [String], known: [String]) throws(CommandError) -> [FormatArgument] {
    var arguments: [FormatArgument] = []
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard known.contains(parts[0]) else {
        throw .usage("there is no format '\(parts[0])'", hint: "the formats are \(known.joined(separator: ", "))")
      }
      let file = parts.count == 2 && parts[1] != "-" ? parts[1] : nil
      if let other = arguments.first(where: { $0.file == file }) {
        guard let file else {
          throw .usage("two formats cannot share standard output", hint: "write --format \(parts[0])=FILE")
        }
        throw .usage(
          "the formats \(other.format) and \(parts[0]) cannot share the file '\(file)'", hint: "name two files")
      }
      arguments.append(FormatArgument(format: parts[0], file: file))
    }
    return arguments
  }
}
