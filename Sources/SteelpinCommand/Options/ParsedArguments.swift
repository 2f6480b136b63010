// SPDX-License-Identifier: Apache-2.0

/// The arguments of one command, sorted by its options.
package struct ParsedArguments: Sendable, Hashable {
  /// What is no option, in order.
  package private(set) var operands: [String] = []
  /// How many of the operands stand before `--`; nil without it.
  package private(set) var countBeforeSeparator: Int?
  private var options: [String: [String]] = [:]

  /// Sorts arguments by the options of a command.
  ///
  /// `--name VALUE` and `--name=VALUE` are the same; options and operands mix; after `--` all are operands.
  package init(_ arguments: some Sequence<String>, options known: [Option]) throws(CommandError) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        countBeforeSeparator = operands.count
        operands += rest
        break
      }
      guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let spelled = Self.short[argument] ?? argument
      let parts = spelled.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0].drop { $0 == "-" })
      guard spelled.hasPrefix("--"), let option = known.first(where: { $0.name == name }) else {
        throw Self.unknown(String(parts[0]), name, known)
      }
      try take(option, attached: parts.count == 2 ? String(parts[1]) : nil, from: &rest)
    }
  }

  /// The options that have a short spelling.
  private static let short = ["-h": "--help", "-o": "--output"]

  private mutating func take(
    _ option: Option, attached: String?, from rest: inout ArraySlice<String>
  ) throws(CommandError) {
    guard options[option.name] == nil || option.isRepeatable else {
      throw .usage("--\(option.name) is given twice", hint: "give it once")
    }
    guard option.argument != nil else {
      if let attached { throw .usage("--\(option.name) takes no argument, but was given '\(attached)'") }
      options[option.name] = []
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw .usage("--\(option.name) needs an argument", hint: "write \(option.synopsis)")
    }
    guard !(value.isEmpty && option.completion == .file) else {
      throw .usage("--\(option.name) is given an empty name", hint: "write \(option.synopsis)")
    }
    if let words = option.words, !words.contains(value) {
      let near = NearestWord.to(value, among: words)
      throw .usage(
        "--\(option.name) is one of \(words.joined(separator: ", ")), not '\(value)'",
        hint: near.map { "did you mean --\(option.name) \($0)?" })
    }
    options[option.name, default: []].append(value)
  }

  private static func unknown(_ spelled: String, _ name: String, _ known: [Option]) -> CommandError {
    let near = NearestWord.to(name, among: known.map(\.name))
    return .usage("unknown option \(spelled)", hint: near.map { "did you mean --\($0)?" } ?? "--help lists the options")
  }

  /// Whether a flag or an option was given.
  package func has(_ option: Option) -> Bool { options[option.name] != nil }

  /// The argument of an option; nil if it was not given.
  package func value(_ option: Option) -> String? { options[option.name]?.last }

  /// The arguments of an option that may be given more than once, in order.
  package func values(_ option: Option) -> [String] { options[option.name] ?? [] }
}
