// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Synchronization
import Testing

/// What one run of the command left behind.
struct CommandRun: Sendable, CustomStringConvertible {
  let status: ExitCode
  let output: String
  let errors: String

  var description: String { "status \(status.rawValue)\n\(output)\(errors)" }
}

/// Runs the command in this process, at the clock of testcerts, on a console that is no terminal.
func run(
  _ arguments: [String], backends: [Backend] = [], terminal: Bool = false, environment: [String: String] = [:],
  interruption: Interruption? = nil
) async -> CommandRun {
  final class Streams: Sendable {
    let bytes = Mutex<[Console.Stream: [UInt8]]>([:])
  }
  let streams = Streams()
  let console = Console(
    write: { bytes, stream in
      streams.bytes.withLock { $0[stream, default: []] += bytes }
      return true
    },
    isTerminal: { _ in terminal },
    environment: { environment[$0] },
    onInterrupt: { handler in interruption?.arm(handler) })
  let status = await CommandRunner.run(arguments, backends: backends, console: console, now: TestCerts.clock)
  let bytes = streams.bytes.withLock { $0 }
  return CommandRun(
    status: status, output: String(decoding: bytes[.output] ?? [], as: UTF8.self),
    errors: String(decoding: bytes[.errors] ?? [], as: UTF8.self))
}

/// The user's hand on control-C.
final class Interruption: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  func arm(_ handler: @escaping @Sendable () -> Void) { self.handler.withLock { $0 = handler } }

  /// Presses, once; false if the command does not listen. The handler, which may know this hand, is let go.
  func press() -> Bool {
    guard let handler = handler.withLock({ $0.take() }) else { return false }
    handler()
    return true
  }
}

extension Command: CustomTestStringConvertible {
  /// The name.
  public var testDescription: String { name }
}
