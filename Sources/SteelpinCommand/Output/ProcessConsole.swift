// SPDX-License-Identifier: Apache-2.0
private import Dispatch
private import Glibc

extension Console {
  /// The console of this process. A reader that has gone away, and a file that grows beyond the limit of the process,
  /// are failed writes here, not signals.
  public static func ofProcess() -> Console {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    return Console(
      write: { bytes, stream in writeAll(bytes, to: descriptor(stream)) },
      isTerminal: { isatty(descriptor($0)) == 1 },
      environment: { name in
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
      },
      onInterrupt: { handler in
        // The source sees the signal although it is ignored; for as long as the handler waits, it lives.
        for number in [SIGINT, SIGTERM, SIGHUP] {
          // Who started the command with a signal ignored, as nohup does, wants it to go on.
          guard number == SIGINT || !isIgnored(number) else { continue }
          signal(number, SIG_IGN)
          let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
          source.setEventHandler {
            handler()
            source.cancel()
            _exit(number == SIGINT ? ExitCode.interrupted.rawValue : 128 + number)
          }
          source.activate()
        }
      })
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var current = sigaction()
    guard unsafe sigaction(number, nil, &current) == 0 else { return false }
    return unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func descriptor(_ stream: Stream) -> CInt {
    switch stream {
    case .errors: STDERR_FILENO
    case .output: STDOUT_FILENO
    }
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
