// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Steelpin
internal import SteelpinProbe

/// A program that the lab runs: the client under test.
package final class ChildProcess: Sendable {
  private let identifier: pid_t
  private let status = Locked<Int32?>(nil)

  /// Starts a program of PATH with more variables in its environment. What it writes to standard output goes to standard
  /// error, since standard output is the lab's result.
  ///
  /// Throws ``LabError`` if it cannot be started.
  package init(_ words: [String], environment: [(name: String, value: String)]) throws(LabError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    // A broken pipe and an interrupt are ignored by this process, and must not be by that one.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGINT)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    let names = Set(environment.map(\.name))
    let inherited = Self.environment().filter { variable in
      !names.contains(String(variable.prefix { $0 != "=" }))
    }
    var process = pid_t()
    let code = Self.withCStrings(words) { arguments in
      Self.withCStrings(inherited + environment.map { "\($0.name)=\($0.value)" }) { variables in
        posix_spawnp(&process, words.first ?? "", &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else {
      throw LabError("'\(words.first ?? "")' cannot be run: \(SystemError(number: code).message)")
    }
    identifier = process
  }

  /// Waits for the end of the program; its exit status, or 128 and the number of the signal that ended it.
  package func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      OwnThread.run { [self] in
        // First without taking the status: until then the number is of no other process, and may be sent a signal.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let result = status.withLock { status in
          var raw: Int32 = 0
          while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
          let signal = raw & 0x7F
          let result = signal == 0 ? raw >> 8 & 0xFF : 128 + signal
          status = result
          return result
        }
        continuation.resume(returning: result)
      }
    }
  }

  /// Asks the program to end, unless it has ended.
  package func interrupt() { _ = send(SIGTERM) }

  /// Ends the program, unless it has ended: by SIGTERM, and after two seconds by SIGKILL. Somebody must ``wait()`` for it.
  package func terminate() async {
    guard send(SIGTERM) else { return }
    for _ in 0..<40 where status.withLock({ $0 == nil }) { try? await Task.sleep(for: .milliseconds(50)) }
    _ = send(SIGKILL)
  }

  /// Sends a signal; false if the program has ended and was waited for, as the number may then be another process's.
  private func send(_ signal: Int32) -> Bool {
    status.withLock { status in
      guard status == nil else { return false }
      return kill(identifier, signal) == 0
    }
  }

  /// The variables of this process. `environ` itself is a global variable that Swift 6 does not let anyone read.
  private static func environment() -> [String] {
    guard let symbol = dlsym(nil, "environ"),
      var next = symbol.load(as: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self)
    else { return [] }
    var variables: [String] = []
    while let variable = next.pointee {
      variables.append(String(cString: variable))
      next = next.advanced(by: 1)
    }
    return variables
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
