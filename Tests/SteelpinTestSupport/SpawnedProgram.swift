// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A program that a test has started.
///
/// Not Foundation's Process: that learns of the end of a program by a socket that others started at the same time
/// inherit, waits for those, too, and turns a processor meanwhile.
struct SpawnedProgram: Sendable {
  /// Where a program reads and writes; the descriptors stay the caller's.
  struct Streams {
    var input: CInt
    var output: CInt
    var errors: CInt
  }

  /// Why a program was not started: the number of the system's error.
  struct Failure: Error {
    let path: String
    let number: CInt
  }

  private let identifier: pid_t

  /// Starts a program, which gets no other descriptors that are closed on exec, as all of the tests are.
  init(
    _ path: String, _ arguments: [String], directory: String, environment: [String: String], _ streams: Streams
  ) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [streams.input, streams.output, streams.errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(number))
    }
    // env(1) changes the directory, for which the importer sees no function, and becomes the program.
    var process = pid_t()
    let code = Self.withCStrings(["env", "-C", directory, path] + arguments) { arguments in
      Self.withCStrings(environment.map { "\($0)=\($1)" }) { variables in
        posix_spawn(&process, "/usr/bin/env", &actions, nil, arguments, variables)
      }
    }
    guard code == 0 else { throw Failure(path: path, number: code) }
    identifier = process
  }

  /// Whether the program has not ended.
  var isRunning: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | WNOHANG) == 0
      && information._sifields._kill.si_pid == 0
  }

  /// Waits for the end of the program, which is done once; its exit status, or the number of the signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : signal
  }

  /// Ends the program and waits for its end.
  func kill() {
    Glibc.kill(identifier, SIGKILL)
    _ = wait()
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
