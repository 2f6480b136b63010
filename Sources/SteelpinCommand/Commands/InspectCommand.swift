// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinReports

extension Command {
  /// `steelpin inspect`.
  static let inspect = Command(
    "inspect", "show what servers and files hold", operands: "HOST[:PORT]|FILE…", completion: .file,
    notes: """
      An argument that names an existing file, or looks like a path, is a file; - is standard input; anything
      else is a host. Nothing is judged for files: what a chain is worth is for 'verify' to say.
      """,
    examples: [
      ("steelpin inspect example.org", "the connection, and the chain as served and as built"),
      ("steelpin inspect chain.pem", "every certificate of a file, with its pin"),
      ("steelpin inspect example.org chain.pem --json", "everything, for a program"),
    ],
    options: [.cacert, .withSystemAnchors, .at, .backend] + .connection + [.passwordFile] + .output,
    statuses: [.success, .unreachable, .noTLS, .usage, .badData, .inputMissing, .backendUnavailable, .internalFault]
  ) { (invocation: Invocation) async throws(CommandError) in
    guard !invocation.arguments.operands.isEmpty else {
      throw .usage("inspect needs a host or a file", hint: "steelpin inspect example.org")
    }
    let inspector = try Inspector(invocation)
    var statuses: [ExitCode] = []
    var documents: [JSONValue] = []
    for operand in invocation.arguments.operands {
      for inspection in try await inspector.inspect(operand) {
        statuses.append(inspection.status)
        if invocation.wantsJSON {
          documents.append(inspection.json)
        } else {
          try invocation.printer.result((statuses.count > 1 ? [[]] : []) + inspection.lines)
        }
      }
    }
    let status = ExitCode.worst(statuses)
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("inspect").adding([
          "status": .integer(Int(status.rawValue)), "targets": .array(documents),
        ]))
    }
    return status
  }
}
