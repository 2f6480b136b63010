// SPDX-License-Identifier: Apache-2.0

/// The version of this package (semantic versioning).
package let steelpinVersion = "0.1.0"

/// What all JSON documents have in common. docs/json.md describes them.
package enum JSONSchema {
  /// The beginning of a document of a command.
  package static func document(_ command: String) -> JSONValue {
    ["schema": "steelpin/1", "command": .string(command)]
  }
}
