// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about the command line and its inputs.
  static let inputCodes: [Explanation] = [
    Explanation(
      "usage", "the command line is wrong",
      why: "an option or argument that is not understood could change what is checked, so nothing was checked",
      mend: "'steelpin COMMAND --help' shows the options and examples"),
    Explanation(
      "host-malformed", "a host is neither a name, nor an address, nor a URL with one",
      why: "what could be read in two ways could be checked for the wrong host",
      mend: "write host, host:port, [v6]:port or a URL", clause: "RFC 9525 6.1"),
    Explanation(
      "backend-unavailable", "a library is not in this build of the command",
      why: "the package can be built with one backend alone", mend: "use the backend that 'steelpin version' lists"),
    Explanation(
      "backend-failed", "a library could not do its work",
      why: "its own words are in the message; nothing was judged",
      mend: "report it with the output of 'steelpin version'"),
    Explanation(
      "lab-failed", "a lab cannot listen, or its command cannot be run",
      why: "no client was judged", mend: "leave --port out for a free port, and check that the command is in PATH"),
    Explanation(
      "recording-empty", "a recording has no server in it",
      why: "nothing can be judged, and nothing is not success",
      mend: "record again with 'steelpin check --record FILE' while the server can be reached"),
    Explanation(
      "suite-changed", "the file of a suite was changed, or removed, while its rows were judged",
      why: "the verdicts are of another text, and writing them would undo the change, so nothing was written",
      mend: "run matrix --update again"),
    Explanation(
      "suite-invalid", "a suite of matrix has a mistake",
      why: "a row that means something else than it says proves nothing, so no row was judged",
      mend: "mend the place that the message names; docs/suites.md describes the language"),
    Explanation(
      "suite-not-updated", "--update could not write the verdicts without changing other rows",
      why: "the text that would have been written did not mean what was found", mend: "write the verdicts by hand"),
    Explanation(
      "suite-unreadable", "the file of a suite cannot be read", why: "nothing was judged", mend: "check the path"),
    Explanation(
      "policy-invalid", "a policy document, or the options of an evaluator, cannot be read",
      why: "a mistake that is passed over could weaken a check, so nothing was checked",
      mend: "the report names every mistake with its place; docs/policy.md lists the keys"),
    Explanation(
      "output-failed", "standard output cannot be written",
      why: "the reader went away or the disk is full", mend: "write to another place"),
  ]
}
