// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// Asks for a password at the terminal.
enum PasswordPrompt {
  /// What was typed without being shown, up to the end of the line; nil if standard input is no terminal.
  static func ask(_ console: Console) throws(CommandError) -> [UInt8]? {
    try ask(on: STDIN_FILENO) { _ = console.write(Array($0.utf8), .errors) }
  }

  /// The same at any terminal.
  static func ask(on descriptor: CInt, say: (String) -> Void) throws(CommandError) -> [UInt8]? {
    guard let shown = attributes(of: descriptor) else { return nil }
    // Signals of the keyboard come as characters, so that nothing leaves the terminal silent.
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    set(hidden, of: descriptor)
    defer {
      set(shown, of: descriptor)
      say("\n")
    }
    say("Password of the PKCS#12 file: ")
    var line: [UInt8] = []
    while let key = readKey(descriptor) {
      switch key {
      case 0x03, 0x1C: throw CommandError(.interrupted, code: "interrupted", "no password was given", hint: nil)
      case 0x04, 0x0A, 0x0D: return line
      case 0x08, 0x7F: removeCharacter(&line)
      case 0x15: line = []
      default: line.append(key)
      }
    }
    return line
  }

  /// Removes all octets of the last character.
  private static func removeCharacter(_ line: inout [UInt8]) {
    while let last = line.popLast(), last & 0xC0 == 0x80 {}
  }

  private static func attributes(of descriptor: CInt) -> termios? {
    var attributes = termios()
    return unsafe tcgetattr(descriptor, &attributes) == 0 ? attributes : nil
  }

  private static func set(_ attributes: termios, of descriptor: CInt) {
    var attributes = attributes
    _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes)
  }

  /// The next octet; nil at the end of the input.
  private static func readKey(_ descriptor: CInt) -> UInt8? {
    var key: UInt8 = 0
    while true {
      let count = unsafe read(descriptor, &key, 1)
      if count < 0, errno == EINTR { continue }
      return count == 1 ? key : nil
    }
  }
}
