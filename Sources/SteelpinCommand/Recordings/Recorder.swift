// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats

/// Writes what servers sent, for `--record`.
struct Recorder {
  private let path: String
  private let mayReplace: Bool
  private let time: Timestamp
  private let printer: Printer

  /// The recorder that a command line asks for; nil if it does not. A place where nothing can be written is an error now,
  /// before a server is contacted.
  init?(_ invocation: Invocation) throws(CommandError) {
    self.mayReplace = invocation.arguments.has(.force)
    guard let path = invocation.arguments.value(.record) else {
      guard !mayReplace else { throw .usage("--force needs --record") }
      return nil
    }
    self.path = path
    self.time = invocation.now
    self.printer = invocation.printer
    do throws(LoadError) { _ = try AtomicFile(path, mayReplace: mayReplace) } catch { throw CommandError(error) }
  }

  /// Writes all finished handshakes; without any there is nothing to keep, and no file.
  func write(_ connections: [Connection]) throws(CommandError) {
    var servers: [Recording.Server] = []
    for connection in connections {
      guard connection.failure == nil, let handshake = connection.handshake else {
        printer.note("\(connection.title) is not recorded: there was no TLS handshake")
        continue
      }
      servers.append(
        Recording.Server(
          host: connection.target.verifiedHost, port: connection.target.port, time: time, handshake: handshake))
    }
    guard !servers.isEmpty else { return }
    do throws(LoadError) {
      try AtomicFile.write(Recording(servers).encoded(), to: path, mayReplace: mayReplace)
    } catch {
      throw CommandError(error)
    }
  }
}
