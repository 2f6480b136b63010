// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinReports

/// A way to write findings about pin configurations.
struct LintReporter: Sendable {
  let name: String
  let render: @Sendable (_ findings: [LintFinding], _ files: [String]) -> [UInt8]

  /// Every way, in alphabetical order.
  static let all = [
    LintReporter(name: "github", render: GitHubAnnotations.render), LintReporter(name: "json", render: json),
    LintReporter(name: "junit", render: JUnitReport.render), LintReporter(name: "sarif", render: SARIFReport.render),
    LintReporter(name: "text", render: text),
  ]

  /// One line a finding, as compilers write it, and one for how to mend it.
  private static func text(_ findings: [LintFinding], _ files: [String]) -> [UInt8] {
    var text = ""
    for finding in findings {
      text += "\(PrintableText.escape("\(finding.position)")): \(finding.severity.rawValue): "
      text += "\(PrintableText.escape(finding.message)) [\(finding.code.rawValue)]\n"
      text += "  mend: \(PrintableText.escape(finding.hint))\n"
    }
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    return Array(
      (text + "\(count(errors, "error")), \(count(warnings, "warning")) in \(count(files.count, "file"))\n").utf8)
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private static func json(_ findings: [LintFinding], _ files: [String]) -> [UInt8] {
    JSONSchema.document("pin lint").adding([
      "files": .strings(files), "findings": .array(findings.map(\.json)),
    ]).encoded()
  }
}

extension LintFinding {
  /// The finding as JSON.
  var json: JSONValue {
    [
      "code": .string(code.rawValue), "severity": .string(severity.rawValue), "file": .string(position.file),
      "line": .integer(position.line), "column": .integer(position.column), "message": .string(message),
      "hint": .string(hint),
    ]
  }
}

/// Workflow commands of GitHub Actions, which become annotations of a change.
enum GitHubAnnotations {
  static func render(_ findings: [LintFinding], _ files: [String]) -> [UInt8] {
    var text = ""
    for finding in findings {
      let command = finding.severity == .note ? "notice" : finding.severity.rawValue
      text += "::\(command) file=\(property(finding.position.file)),line=\(finding.position.line),"
      text += "col=\(finding.position.column),title=\(finding.code.rawValue)::"
      text += "\(data("\(finding.message); \(finding.hint)"))\n"
    }
    return Array(text.utf8)
  }

  /// Percent signs and line ends as GitHub's toolkit escapes them; other control characters as everywhere.
  private static func data(_ text: String) -> String {
    let lines = text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    return PrintableText.escape(lines)
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

/// JUnit's XML: a suite for every file, a case for every finding, and one that passes for a file without any.
enum JUnitReport {
  static func render(_ findings: [LintFinding], _ files: [String]) -> [UInt8] {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for file in files {
      let own = findings.filter { $0.position.file == file || $0.position.file.hasPrefix(file + "/") }
      let failures = own.count { $0.severity != .note }
      let name = MarkupText.escape(file)
      text += "  <testsuite name=\"\(name)\" tests=\"\(max(1, own.count))\" failures=\"\(failures)\">\n"
      if own.isEmpty { text += "    <testcase classname=\"\(name)\" name=\"pin lint\"/>\n" }
      for finding in own {
        let title = "\(finding.code.rawValue) at \(finding.position.line):\(finding.position.column)"
        text += "    <testcase classname=\"\(name)\" name=\"\(title)\">\n"
        let message = MarkupText.escape(finding.message)
        text +=
          finding.severity == .note
          ? "      <system-out>\(message)</system-out>\n"
          : "      <failure type=\"\(finding.severity.rawValue)\" message=\"\(message)\">"
            + "\(MarkupText.escape("\(finding.position): \(finding.hint)"))</failure>\n"
        text += "    </testcase>\n"
      }
      text += "  </testsuite>\n"
    }
    return Array((text + "</testsuites>\n").utf8)
  }
}

/// SARIF 2.1.0, which code scanning reads; the position is the pin's own.
enum SARIFReport {
  static func render(_ findings: [LintFinding], _ files: [String]) -> [UInt8] {
    var codes: [LintCode] = []
    for finding in findings where !codes.contains(finding.code) { codes.append(finding.code) }
    codes.sort { $0.rawValue < $1.rawValue }
    let rules: [JSONValue] = codes.map { code in
      ["id": .string(code.rawValue), "shortDescription": ["text": .string(code.rawValue)]]
    }
    let driver: JSONValue = [
      "name": "steelpin", "version": .string(steelpinVersion), "rules": .array(rules),
    ]
    let run: JSONValue = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(findings.map(result)),
    ]
    let document: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
    return document.encoded()
  }

  private static func result(_ finding: LintFinding) -> JSONValue {
    let region: JSONValue = [
      "startLine": .integer(finding.position.line), "startColumn": .integer(finding.position.column),
    ]
    let location: JSONValue = [
      "physicalLocation": ["artifactLocation": ["uri": .string(uri(finding.position.file))], "region": region]
    ]
    return [
      "ruleId": .string(finding.code.rawValue), "level": .string(finding.severity.rawValue),
      "message": ["text": .string("\(finding.message); \(finding.hint)")], "locations": [location],
    ]
  }

  /// A path as a relative or absolute URI reference (RFC 3986 4.2).
  private static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    for octet in path.utf8 {
      switch octet {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F, 0x7E:
        text.unicodeScalars.append(Unicode.Scalar(octet))
      default: text += "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
