// SPDX-License-Identifier: Apache-2.0

/// The calls of `add` on a CertificatePinner's builder in Kotlin or Java source.
struct OkHttpCalls {
  struct Call {
    let arguments: [(text: String?, offset: Int)]
    /// Which builder of the file it belongs to, from 0: the last one before it.
    let builder: Int
  }

  private(set) var calls: [Call] = []
  private let tokens: [SourceToken]
  /// Constants of the file: `val NAME = "…"`, `String NAME = "…";`. A name with two values is none.
  private var constants: [String: String?] = [:]

  init(_ tokens: [SourceToken]) {
    self.tokens = tokens
    findConstants()
    var chainEnd = -1
    var builders = 0
    for index in tokens.indices {
      if isBuilder(index) {
        chainEnd = index
        builders += 1
      } else if let arguments = call(at: index, isInChain: index <= chainEnd + 1 && chainEnd >= 0) {
        calls.append(Call(arguments: arguments.list, builder: max(0, builders - 1)))
        chainEnd = arguments.end
        continue
      }
      // A chain goes on as long as only dots, parentheses and calls of it follow.
      if chainEnd >= 0, index == chainEnd + 1 { chainEnd = continues(index) ? index : -1 }
    }
  }

  private mutating func findConstants() {
    for index in tokens.indices.dropFirst().dropLast() where tokens[index].isSymbol("=") {
      guard case .string(let value?) = tokens[index + 1].kind else { continue }
      var nameIndex = index - 1
      // Kotlin may say the type: `val NAME: String = "…"`.
      if nameIndex >= 2, tokens[nameIndex].kind == .word("String"), tokens[nameIndex - 1].isSymbol(":") {
        nameIndex -= 2
      }
      guard case .word(let name) = tokens[nameIndex].kind else { continue }
      constants[name] = constants.keys.contains(name) ? .some(nil) : .some(value)
    }
  }

  /// Whether `CertificatePinner.Builder` ends here.
  private func isBuilder(_ index: Int) -> Bool {
    index >= 2 && tokens[index].kind == .word("Builder") && tokens[index - 1].isSymbol(".")
      && tokens[index - 2].kind == .word("CertificatePinner")
  }

  private func continues(_ index: Int) -> Bool {
    switch tokens[index].kind {
    case .symbol(let octet):
      [UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "."), UInt8(ascii: "{")].contains(octet)
    case .word(let word): ["apply", "add"].contains(word)
    case .string: false
    }
  }

  /// A call of `add` with its arguments: in a builder's chain any, elsewhere one whose second argument is a pin.
  private func call(at index: Int, isInChain: Bool) -> (list: [(text: String?, offset: Int)], end: Int)? {
    guard tokens[index].kind == .word("add"), index + 1 < tokens.count, tokens[index + 1].isSymbol("(") else {
      return nil
    }
    guard let (arguments, end) = split(tokens[(index + 2)...]) else { return nil }
    let list = arguments.flatMap(values)
    guard list.count >= 2 else { return nil }
    let looksLikePins = list.dropFirst().contains {
      $0.text?.hasPrefix("sha256/") == true || $0.text?.hasPrefix("sha1/") == true
    }
    return isInChain || looksLikePins ? (list, end) : nil
  }

  /// The arguments up to the parenthesis that closes them, and where it stands; nil if none does.
  private func split(_ tokens: ArraySlice<SourceToken>) -> (arguments: [ArraySlice<SourceToken>], end: Int)? {
    var arguments: [ArraySlice<SourceToken>] = []
    var start = tokens.startIndex
    var depth = 1
    for (index, token) in zip(tokens.indices, tokens) {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      guard depth == 0 || depth == 1 && token.isSymbol(",") else { continue }
      if index > start { arguments.append(tokens[start..<index]) }
      if depth == 0 { return (arguments, index) }
      start = index + 1
    }
    return nil
  }

  /// The values of an argument, of which an array has several: `"…"`, `pattern = "…"`, `*arrayOf("…", "…")`.
  private func values(_ argument: ArraySlice<SourceToken>) -> [(text: String?, offset: Int)] {
    var rest = argument
    if rest.count > 2, case .word = rest[rest.startIndex].kind, rest[rest.startIndex + 1].isSymbol("=") {
      rest = rest.dropFirst(2)
    }
    if let first = rest.first, first.isSymbol("*") { rest = rest.dropFirst() }
    if rest.count > 2, rest[rest.startIndex].kind == .word("arrayOf"), rest[rest.startIndex + 1].isSymbol("("),
      let (items, end) = split(rest.dropFirst(2)), end == rest.endIndex - 1, !items.isEmpty
    {
      return items.flatMap(values)
    }
    return argument.first.map { [(value(Array(rest)), $0.offset)] } ?? []
  }

  /// The value of an argument: literals and constants, perhaps added together; nil for anything else.
  private func value(_ argument: [SourceToken]) -> String? {
    var result = ""
    var wantsOperand = true
    for (index, token) in argument.enumerated() {
      if wantsOperand {
        switch token.kind {
        case .string(let text?): result += text
        case .word(let name):
          // `Pins.NAME` is the constant NAME.
          if index + 1 < argument.count, argument[index + 1].isSymbol(".") { break }
          guard let constant = constants[name], let constant else { return nil }
          result += constant
        default: return nil
        }
        wantsOperand = false
      } else {
        guard token.isSymbol("+") || token.isSymbol(".") else { return nil }
        wantsOperand = true
      }
    }
    return wantsOperand ? nil : result
  }
}
