// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SteelpinCommand

@Suite("passwords typed at a terminal") struct PasswordPromptTests {
  static let rows: [(keys: String, password: String?)] = [
    ("secret\n", "secret"), ("secret\r", "secret"), ("\n", ""), ("\u{4}", ""), ("sekr\u{7F}\u{8}cret\n", "secret"),
    ("wrong\u{15}right\n", "right"), ("né\u{7F}o\n", "no"), ("\u{7F}a\n", "a"), ("abc\u{3}", nil),
  ]

  @Test("the line, or nothing if it was interrupted; the terminal is as before", arguments: rows)
  func typed(keys: String, password: String?) throws {
    let (keyboard, terminal) = try openTerminal()
    defer {
      close(terminal)
      close(keyboard)
    }
    let before = flags(of: terminal)
    var said = ""
    var wasHidden = false
    let typed = Result {
      try PasswordPrompt.ask(on: terminal) { text in
        if said.isEmpty {
          // The prompt is what a person answers; what was typed before it is dropped.
          wasHidden = flags(of: terminal) & tcflag_t(ECHO) == 0
          _ = Array(keys.utf8).withUnsafeBytes { unsafe write(keyboard, $0.baseAddress, $0.count) }
        }
        said += text
      }
    }
    #expect(said == "Password of the PKCS#12 file: \n")
    #expect(wasHidden)
    #expect(flags(of: terminal) == before)
    switch typed {
    case .success(let line): #expect(line == password.map { Array($0.utf8) })
    case .failure(let error):
      #expect(password == nil)
      #expect((error as? CommandError)?.status == .interrupted)
    }
  }

  @Test("a file is no terminal") func file() throws {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(try PasswordPrompt.ask(on: file) { _ in } == nil)
  }

  /// The two ends of a new terminal: the keyboard, and what a program reads of it (pts(4)).
  private func openTerminal() throws -> (CInt, CInt) {
    let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(keyboard >= 0)
    var lock: CInt = 0
    var number: CInt = 0
    // TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not see.
    try #require(unsafe ioctl(keyboard, 0x4004_5431, &lock) == 0 && ioctl(keyboard, 0x8004_5430, &number) == 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    return (keyboard, terminal)
  }

  private func flags(of terminal: CInt) -> tcflag_t {
    var attributes = termios()
    _ = unsafe tcgetattr(terminal, &attributes)
    return attributes.c_lflag
  }
}
