// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix
internal import SteelpinReports

extension Command {
  /// `steelpin matrix`.
  static let matrix = Command(
    "matrix", "judge the built-in cases under every policy, with every library",
    notes: """
      Each cell is a chain (self-signed, expired, wrong host, …) under a policy: anchors, host check and pins, or
      the preset of another system. What is expected is computed from the stated faults of the chain, each with its
      clause. The grid shows the presets; every deviation and every disagreement of the libraries is listed.
      """,
    examples: [
      ("steelpin matrix --builtin", "is every cell as it should be?"),
      ("steelpin matrix --builtin --filter self-signed", "what happens with self-signed certificates?"),
      ("steelpin matrix --builtin --filter pitaya --json", "one system, for a program"),
    ],
    options: [.builtin, .filter, .backend] + .output,
    statuses: [.success, .trustFailed, .backendsDisagree, .usage, .backendUnavailable, .internalFault]
  ) { (invocation: Invocation) async throws(CommandError) in
    guard invocation.arguments.has(.builtin) else {
      throw .usage("matrix needs --builtin", hint: "steelpin matrix --builtin")
    }
    let cells = try cells(invocation)
    guard !cells.isEmpty else {
      throw .usage("no cell of the matrix contains '\(invocation.arguments.value(.filter) ?? "")'")
    }
    let status: ExitCode =
      cells.contains(where: \.isDisagreement)
      ? .backendsDisagree : cells.contains(where: \.isDeviation) ? .trustFailed : .success
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("matrix").adding([
          "status": .integer(Int(status.rawValue)), "cells": .array(cells.map(\.json)),
        ]))
    } else {
      try invocation.printer.result(MatrixText.lines(cells, isVerbose: invocation.isVerbose))
    }
    return status
  }

  private static func cells(_ invocation: Invocation) throws(CommandError) -> [MatrixCell] {
    let backends = try TrustOptions.backends(invocation)
    guard let provider = invocation.backends.first?.keyProvider else { return [] }
    let filter = invocation.arguments.value(.filter)
    var cells: [MatrixCell] = []
    do {
      let run = try MatrixRun(provider, clock: invocation.now)
      let evaluators = backends.map { $0.makeEvaluator(run.systemAnchors) }
      try run.forEachCell(evaluators) { scenario, policy in
        filter.map { scenario.contains($0) || policy.contains($0) } ?? true
      } _: {
        cells.append($0)
      }
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "\(error)")
    }
    return cells
  }
}

extension MatrixCell {
  fileprivate var json: JSONValue {
    [
      "scenario": .string(scenario), "policy": .string(policy), "clause": .string(clause),
      "expected": .string(expected.outcome.rawValue), "deviates": .bool(isDeviation),
      "disagree": .bool(isDisagreement),
      "verdicts": .array(
        verdicts.map { verdict in
          [
            "backend": .string(verdict.backend), "outcome": .string(verdict.outcome.rawValue),
            "codes": .strings(verdict.errors.map(\.code.rawValue)),
          ]
        }),
    ]
  }
}
