// SPDX-License-Identifier: Apache-2.0

extension Explanation {
  /// Codes about pin configurations that cannot be read at all.
  static let configurationCodes: [Explanation] = [
    Explanation(
      "configuration-encoding-invalid", "a pin configuration is not text in UTF-8 or UTF-16",
      why: "what it says would depend on the reader",
      mend: "save the file as UTF-8", clause: "RFC 3629 4"),
    Explanation(
      "configuration-entity-refused", "an XML file declares entities, a DTD of its own or another encoding",
      why: "entities can grow without bound, and read files and addresses; none is ever read",
      mend: "write the text itself in place of the entity", clause: "XML 1.0 4"),
    Explanation(
      "configuration-file-empty", "a pin configuration is empty",
      why: "an empty file would pin nothing, which is a mistake",
      mend: "check the command that should have written it"),
    Explanation(
      "configuration-file-unreadable", "a pin configuration is missing or cannot be read",
      why: "nothing was checked",
      mend: "check the path and its permissions"),
    Explanation(
      "configuration-format-unknown", "a file looks like no pin configuration",
      why: "nothing was checked",
      mend: "name the format with --from"),
    Explanation(
      "configuration-key-duplicate", "a key stands twice in one object",
      why: "which of the two counts depends on the reader",
      mend: "remove one", clause: "RFC 8259 4"),
    Explanation(
      "configuration-limit-exceeded", "a file is larger, deeper or of more parts than is read",
      why: "no configuration needs that much, and hostile ones do",
      mend: "split the file", clause: "RFC 8259 9"),
    Explanation(
      "configuration-syntax", "the syntax of a pin configuration is broken",
      why: "what stands behind the place cannot be told",
      mend: "correct the place that the message names"),
    Explanation(
      "configuration-value-invalid", "a value that the format must have is missing, or is of another kind",
      why: "nothing of the file can be used without it",
      mend: "write it as the message says"),
  ]
}
