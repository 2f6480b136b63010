// SPDX-License-Identifier: Apache-2.0
internal import SteelpinReports

extension Command {
  /// `steelpin version`.
  static let version = Command(
    "version", "print the version of Steelpin and of the libraries it uses",
    examples: [
      ("steelpin version", "the versions, one a line"),
      ("steelpin version --json", "the same for a program"),
      ("steelpin --version", "the same, as other commands spell it"),
    ],
    options: [.json],
    statuses: [.success, .usage]
  ) { (invocation: Invocation) async throws(CommandError) in
    if invocation.wantsJSON {
      let libraries: [JSONValue] = invocation.backends.map {
        ["backend": .string($0.name), "version": .string($0.libraryVersion())]
      }
      try invocation.printer.result(
        JSONSchema.document("version").adding(["version": .string(steelpinVersion), "libraries": .array(libraries)]))
    } else {
      let libraries = invocation.backends.map { [Span.plain("\($0.name) \($0.libraryVersion())")] }
      try invocation.printer.result([[.plain("steelpin \(steelpinVersion)")]] + libraries)
    }
    return .success
  }
}
