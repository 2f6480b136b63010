// SPDX-License-Identifier: Apache-2.0

extension Command {
  /// `steelpin manual`.
  static let manual = Command(
    "manual", "print the manual page",
    examples: [
      ("steelpin manual | man -l -", "read it"),
      ("steelpin manual > /usr/share/man/man1/steelpin.1", "install it"),
      ("steelpin manual | groff -man -Tutf8 | less", "read it without man"),
    ],
    options: [],
    statuses: [.success, .usage]
  ) { (invocation: Invocation) async throws(CommandError) in
    try invocation.printer.result(text: ManualPage.text(Command.all))
    return .success
  }
}
