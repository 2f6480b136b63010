// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix
internal import SteelpinReports

/// What the page shows, with every certificate and every verdict once: many rows share them.
enum HTMLData {
  static func value(_ reports: [MatrixReport]) -> JSONValue {
    ["suites": .array(reports.map { Suite($0).value })]
  }

  /// The items of a list by their order.
  private struct Index<Item: Hashable> {
    private(set) var items: [Item] = []
    private var places: [Item: Int] = [:]

    mutating func place(_ item: Item) -> JSONValue {
      if let known = places[item] { return .integer(known) }
      places[item] = items.count
      items.append(item)
      return .integer(items.count - 1)
    }
  }

  private struct Suite {
    private var scenarios = Index<[String]>()
    private var policies = Index<MatrixPolicyName>()
    private var certificates = Index<Certificate>()
    private var texts = Index<String>()
    private var chains = Index<JSONValue>()
    private var verdicts = Index<JSONValue>()
    private var cells: [JSONValue] = []
    private let backends: [String]

    init(_ report: MatrixReport) {
      backends = report.cells.first?.verdicts.map(\.backend) ?? []
      for cell in report.cells { add(cell) }
    }

    private mutating func add(_ cell: MatrixCell) {
      let row = cell.row
      let chain = row.chain.elements.map { element -> JSONValue in
        switch element {
        case .certificate(let certificate): certificates.place(certificate)
        case .malformed(let bytes, let error): text("\(bytes.count) octets that are no certificate: \(error)")
        }
      }
      let found = cell.verdicts.map { verdicts.place(verdict($0)) }
      cells.append([
        scenarios.place([row.scenario, row.clause].map(PrintableText.escape)), policies.place(row.policy),
        chains.place(.array(chain)),
        texts.place("\(MatrixTrace.expectation(row.expected))\(row.host.map { ", for \($0)" } ?? ""), at \(row.time)"),
        .integer((cell.isDeviation ? 1 : 0) + (cell.isDisagreement ? 2 : 0)), .array(found),
      ])
    }

    private mutating func verdict(_ verdict: Verdict) -> JSONValue {
      var findings: [JSONValue] = []
      for finding in verdict.findings {
        findings.append([
          .string(finding.code.rawValue), .bool(finding.severity == .error), .integer(finding.depth ?? -1),
          texts.place(
            ([finding.detail] + finding.native.map { "\($0.library): \($0)" }).map(PrintableText.escape)
              .joined(separator: "\n")),
        ])
      }
      var attempts: [JSONValue] = []
      for attempt in verdict.attempts {
        let path = attempt.path.map { certificates.place($0) }
        attempts.append([.array(path), .strings(attempt.errors.map(\.code.rawValue))])
      }
      let path = verdict.path.map { certificates.place($0) }
      let pins: JSONValue =
        verdict.pins.map { report in
          [
            "scope": .string(report.scope.rawValue), "pins": .strings(report.configured.map(\.description)),
            "depth": .integer(report.match?.depth ?? -1),
          ]
        } ?? .null
      return [
        "outcome": .string(verdict.outcome.rawValue), "path": .array(path), "anchored": .bool(verdict.reachesAnchor),
        "findings": .array(findings), "attempts": .array(attempts), "pins": pins,
      ]
    }

    var value: JSONValue {
      [
        "backends": .strings(backends), "scenarios": .array(scenarios.items.map { .strings($0) }),
        "policies": .array(policies.items.map { [text($0.text), .bool($0.isPreset)] }),
        "certificates": .array(certificates.items.map(certificate)), "texts": .strings(texts.items),
        "chains": .array(chains.items), "verdicts": .array(verdicts.items), "cells": .array(cells),
      ]
    }

    private func certificate(_ certificate: Certificate) -> JSONValue {
      [
        "subject": text("\(certificate.subject)"), "issuer": text("\(certificate.issuer)"),
        "from": .optional(certificate.validity.notBefore?.description),
        "to": .optional(certificate.validity.notAfter?.description),
        "key": .string("\(certificate.publicKey.kind)"), "pin": .string("\(Pin(.publicKey, of: certificate))"),
        "names": .array(
          (certificate.decoded.subjectAlternativeNames ?? []).map { text(CertificateNames.text($0)) }),
      ]
    }

    /// What strangers wrote, without what hides or reorders it.
    private func text(_ text: String) -> JSONValue { .string(PrintableText.escape(text)) }
  }
}
