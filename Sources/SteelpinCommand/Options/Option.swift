// SPDX-License-Identifier: Apache-2.0

/// One option of a command. This declaration is all there is: parsing, help, completions and the manual follow it.
package struct Option: Sendable {
  /// What a shell may offer as its argument.
  package enum Completion: Sendable, Hashable {
    case file
    case host
    case nothing
    /// One of these words, and nothing else is accepted.
    case oneOf([String])
    /// One of these words, but which are accepted is not for the parser to say.
    case suggested([String])
  }

  /// The long name without hyphens, as curl calls it where curl has the option.
  package let name: String
  /// What its argument is called in the help; nil for a flag.
  package let argument: String?
  /// Whether it may be given more than once.
  package let isRepeatable: Bool
  /// What a shell may offer.
  package let completion: Completion
  /// One sentence without full stop.
  package let help: String

  /// A flag, which takes no argument.
  package init(flag name: String, _ help: String) {
    self.name = name
    self.argument = nil
    self.isRepeatable = false
    self.completion = .nothing
    self.help = help
  }

  /// An option with an argument.
  package init(
    _ name: String, _ argument: String, repeatable: Bool = false, completion: Completion = .nothing, _ help: String
  ) {
    self.name = name
    self.argument = argument
    self.isRepeatable = repeatable
    self.completion = completion
    self.help = help
  }

  /// An option whose argument is one of a few words.
  package init(_ name: String, oneOf words: [String], _ help: String) {
    self.init(name, words.joined(separator: "|"), completion: .oneOf(words), help)
  }

  /// The only words that the argument may be; nil if the parser accepts anything.
  var words: [String]? {
    if case .oneOf(let words) = completion { words } else { nil }
  }

  /// The option with its argument as help shows it, as in `--pin PIN`.
  var synopsis: String { argument.map { "--\(name) \($0)" } ?? "--\(name)" }
}
