// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// Text that strangers wrote, made safe for XML and HTML: none of it is markup, and nothing in it hides or reorders what
/// is shown, as in the text for terminals.
enum MarkupText {
  /// A name or a message.
  static func escape(_ text: String) -> String { XMLText.escape(PrintableText.escape(text)) }
}
