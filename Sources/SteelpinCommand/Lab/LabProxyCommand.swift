// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinLab
internal import SteelpinMatrix
internal import SteelpinReports

extension Command {
  /// `steelpin lab proxy`.
  static let labProxy = Command(
    "lab proxy", "intercept TLS as a proxy with a CA of its own, and judge a client", operands: "[-- COMMAND…]",
    notes: """
      Listens on 127.0.0.1 and answers CONNECT. The client meets a certificate for the host that it asked for, by a
      fresh CA; what it sends goes on to the real server, whose certificate is not looked at. With that CA
      trusted a client without pins is fooled (status 10), and one that pins the server's key is not (status 0).
      The command finds STEELPIN_LAB_PROXY, STEELPIN_LAB_CA and HTTPS_PROXY in its environment.
      """,
    examples: [
      (
        "steelpin lab proxy -- sh -c 'curl --cacert \"$STEELPIN_LAB_CA\" https://example.org'",
        "curl trusts the CA and pins nothing: it is fooled"
      ),
      ("steelpin lab proxy --port 8080 --ca-file proxy-ca.pem", "for a device whose proxy is set by hand"),
      ("steelpin lab proxy --once --json", "judge one connection, for a program"),
    ],
    options: [.port, .caFile, .directory, .once, .connections, .maxTime, .json, .color],
    statuses: [
      .success, .pinMismatch, .trustFailed, .unreachable, .noTLS, .usage, .inputMissing, .backendUnavailable,
      .internalFault, .inputOutput, .interrupted,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let options = try LabOptions(invocation, operands: 0)
    let proxy: LabProxy
    do {
      proxy = try LabProxy(server: options.server, client: options.client, keys: options.keys, clock: invocation.now)
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "the CA cannot be made: \(error)")
    }
    let server: LabServer<LabConnection>
    do throws(LabError) {
      server = try proxy.start(port: options.port, lifetime: options.lifetime)
    } catch {
      throw CommandError(error)
    }
    let files = try options.write(proxy.files)
    defer { files.remove() }
    let url = "http://127.0.0.1:\(server.port)"
    let run = LabRun(
      invocation, options, title: "proxy", isAboutPins: true,
      environment: [
        ("STEELPIN_LAB_PROXY", url), ("STEELPIN_LAB_CA", files.authorities), ("HTTPS_PROXY", url),
        ("https_proxy", url),
      ], files: files)
    try run.announce([("", url), ("demand", LabDemand.refuse.text), ("ca", files.authorities)])
    return try await run.judge(server)
  }
}
