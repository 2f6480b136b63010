// SPDX-License-Identifier: Apache-2.0

/// Completion scripts out of the tables. Words of the tables need no quoting beyond what is done here.
enum CompletionScripts {
  static func bash(_ commands: [Command]) -> String {
    var cases = ""
    for command in commands {
      let options = command.options.map { "--\($0.name)" }.joined(separator: " ")
      cases += "    '\(command.name)')\n      options='\(options)'\n      operands='\(words(command.completion))'\n"
      cases += "      files=\(command.completion == .file ? "yes" : "no") ;;\n"
    }
    var arguments = ""
    for option in unique(commands) {
      switch completion(of: option, commands) {
      case .file:
        arguments += "    --\(option.name)) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;\n"
      case .host:
        arguments += "    --\(option.name)) mapfile -t COMPREPLY < <(compgen -A hostname -- \"$word\"); return ;;\n"
      case .oneOf, .suggested:
        let list = words(completion(of: option, commands))
        arguments += "    --\(option.name)) mapfile -t COMPREPLY < <(compgen -W '\(list)' -- \"$word\"); return ;;\n"
      case .nothing where option.argument != nil: arguments += "    --\(option.name)) return ;;\n"
      case .nothing: break
      }
    }
    return """
      # bash completion of steelpin
      _steelpin() {
        local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options='' operands='' files=no
        COMPREPLY=()
        if [ "$COMP_CWORD" = 1 ]; then
          mapfile -t COMPREPLY < <(compgen -W '\(firstWords(commands).joined(separator: " "))' -- "$word")
          return
        fi
        case $command in
      \(secondWordCases(commands))  esac
        case ${COMP_WORDS[COMP_CWORD - 1]} in
      \(arguments)  esac
        case $command in
      \(cases)  esac
        if [[ $word == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        elif [ $files = yes ]; then
          mapfile -t COMPREPLY < <(compgen -f -- "$word")
        else
          mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
        fi
      }
      complete -o filenames -F _steelpin steelpin

      """
  }

  static func zsh(_ commands: [Command]) -> String {
    var cases = ""
    for command in commands {
      cases += "    '\(command.name)')\n      _arguments \\\n"
      for option in command.options {
        let prefix = option.isRepeatable ? "*" : ""
        let argument = option.argument.map { ":\(zshQuote($0)):\(zshAction(option.completion))" } ?? ""
        cases += "        '\(prefix)--\(option.name)[\(zshQuote(option.help))]\(argument)' \\\n"
      }
      cases += "        '*:argument:\(zshAction(command.completion))' ;;\n"
    }
    return """
      #compdef steelpin
      # zsh completion of steelpin
      _steelpin() {
        local command=$words[2]
        if (( CURRENT == 2 )); then
          compadd -- \(firstWords(commands).joined(separator: " "))
          return
        fi
        case $command in
      \(zshSecondWordCases(commands))  esac
        case $command in
      \(cases)  esac
      }
      _steelpin "$@"

      """
  }

  static func fish(_ commands: [Command]) -> String {
    var lines = ["# fish completion of steelpin", "complete -c steelpin -f"]
    for word in firstWords(commands) {
      let summary = commands.first { $0.name == word }?.summary ?? commands.first { $0.name.hasPrefix(word) }?.summary
      lines.append("complete -c steelpin -n __fish_use_subcommand -a \(word) -d '\(fishQuote(summary ?? ""))'")
    }
    for command in commands {
      let condition = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
        .joined(separator: "; and ")
      if let second = command.name.split(separator: " ").dropFirst().first {
        let first = command.name.prefix { $0 != " " }
        lines.append("complete -c steelpin -n '__fish_seen_subcommand_from \(first)' -a \(second)")
      }
      if command.completion == .file { lines.append("complete -c steelpin -n '\(condition)' -F") }
      let operands = words(command.completion)
      if !operands.isEmpty { lines.append("complete -c steelpin -n '\(condition)' -a '\(operands)'") }
      for option in command.options {
        var line = "complete -c steelpin -n '\(condition)' -l \(option.name) -d '\(fishQuote(option.help))'"
        if option.argument != nil { line += option.completion == .file ? " -r -F" : " -x" }
        let words = words(option.completion)
        if !words.isEmpty { line += " -a '\(words)'" }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CompletionScripts {
  private static func words(_ completion: Option.Completion) -> String {
    switch completion {
    case .oneOf(let words), .suggested(let words): words.joined(separator: " ")
    case .file, .host, .nothing: ""
    }
  }

  /// What may follow an option in any of the commands; of words that differ by command all are offered.
  private static func completion(of option: Option, _ commands: [Command]) -> Option.Completion {
    let uses = commands.flatMap(\.options).filter { $0.name == option.name }
    var lists: [[String]] = []
    for case .oneOf(let words) in uses.map(\.completion) where !lists.contains(words) { lists.append(words) }
    return lists.count > 1 ? .suggested(lists.flatMap(\.self)) : option.completion
  }

  private static func unique(_ commands: [Command]) -> [Option] {
    var seen = Set<String>()
    return commands.flatMap(\.options).filter { seen.insert($0.name).inserted }
  }

  private static func firstWords(_ commands: [Command]) -> [String] {
    var seen = Set<Substring>()
    return commands.map { $0.name.prefix { $0 != " " } }.filter { seen.insert($0).inserted }.map(String.init) + ["help"]
  }

  /// The first words that need a second one, with their second words.
  private static func groups(_ commands: [Command]) -> [(first: String, second: String)] {
    firstWords(commands).compactMap { first in
      let second = commands.map(\.name).filter { $0.hasPrefix(first + " ") }.map { $0.dropFirst(first.count + 1) }
      return second.isEmpty ? nil : (first, second.joined(separator: " "))
    }
  }

  private static func secondWordCases(_ commands: [Command]) -> String {
    groups(commands).map { group in
      """
          \(group.first))
            if [ "$COMP_CWORD" = 2 ]; then
              mapfile -t COMPREPLY < <(compgen -W '\(group.second)' -- "$word")
              return
            fi
            command+=" ${COMP_WORDS[2]}" ;;

      """
    }.joined()
  }

  private static func zshSecondWordCases(_ commands: [Command]) -> String {
    groups(commands).map { group in
      """
          \(group.first))
            if (( CURRENT == 3 )); then compadd -- \(group.second); return; fi
            command+=" $words[3]" ;;

      """
    }.joined()
  }

  private static func zshAction(_ completion: Option.Completion) -> String {
    switch completion {
    case .file: "_files"
    case .host: "_hosts"
    case .nothing: " "
    case .oneOf(let words), .suggested(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func zshQuote(_ text: String) -> String {
    text.map { character in
      switch character {
      case "'": "'\\''"
      case ":", "[", "]", "\\": "\\\(character)"
      default: String(character)
      }
    }.joined()
  }

  private static func fishQuote(_ text: String) -> String {
    text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}
