// SPDX-License-Identifier: Apache-2.0

/// The version of this package (semantic versioning), as C sees it.
package let steelpinVersionText: StaticString = "0.1.0"

/// The version of this package.
package let steelpinVersion = "\(steelpinVersionText)"

/// What all JSON documents have in common. docs/json.md describes them.
package enum JSONSchema {
  /// The beginning of a document of a command.
  package static func document(_ command: String) -> JSONValue {
    ["schema": "steelpin/1", "command": .string(command)]
  }
}
