// SPDX-License-Identifier: Apache-2.0
import SteelpinTestSupport

extension ScriptedServer {
  /// What a server does to every connection.
  enum Script: Sendable {
    /// Closes at once.
    case closes
    /// Says some bytes as soon as it has heard any, and goes on listening.
    case says([UInt8])
    /// Says nothing.
    case silent
  }

  /// Starts a server on 127.0.0.1 that does one thing to every connection.
  convenience init(_ script: Script) throws {
    try self.init { (connection: ScriptedConnection) in
      switch script {
      case .closes: return
      case .says(let bytes): if !connection.receive().isEmpty { connection.send(bytes) }
      case .silent: break
      }
      connection.receiveAll()
    }
  }
}
