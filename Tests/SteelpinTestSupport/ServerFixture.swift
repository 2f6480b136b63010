// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// A TLS server program on the loopback interface, stopped with its last reference.
public final class ServerFixture: Sendable {
  /// The port at which it listens.
  public let port: UInt16
  private let program: SpawnedProgram
  private let directory: ScratchDirectory
  private let input: Pipe

  /// Starts a program and waits until its port answers; `arguments` gets the port and the directory that it may use.
  /// Its standard input is at its end, or stays open and empty.
  public init(
    _ tool: ExternalTool, environment: [String: String] = [:], holdsInput: Bool = false,
    _ arguments: (_ port: UInt16, _ directory: ScratchDirectory) throws -> [String]
  ) async throws {
    guard let path = tool.path else { throw ExternalTool.Missing(name: tool.name) }
    let directory = try ScratchDirectory()
    let port = try LoopbackListener.freePort()
    let log = directory.url.appendingPathComponent("server.log")
    try Data().write(to: log)
    let writer = try FileHandle(forWritingTo: log)
    input = Pipe()
    if !holdsInput { try input.fileHandleForWriting.close() }
    program = try SpawnedProgram(
      path, try arguments(port, directory), directory: directory.url.path,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      SpawnedProgram.Streams(
        input: input.fileHandleForReading.fileDescriptor, output: writer.fileDescriptor, errors: writer.fileDescriptor))
    self.port = port
    self.directory = directory
    for _ in 0..<200 {
      if Self.answers(port) { return }
      guard program.isRunning else { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    throw Failure(reason: "\(tool.name) does not answer: \(said)")
  }

  deinit {
    // The program's own process and no other; it is waited for, so that its port is free again.
    program.kill()
  }

  /// What the program has written until now.
  public var output: String {
    (try? String(contentsOf: directory.url.appendingPathComponent("server.log"), encoding: .utf8)) ?? ""
  }

  /// A server that did not start.
  public struct Failure: Error {
    /// What the program said.
    public let reason: String
  }

  private static func answers(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.map { connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), size) == 0 } ?? false
    }
  }
}

extension ExternalTool {
  /// `gnutls-serv`, of the package gnutls-bin.
  public static let gnutlsServ = ExternalTool("gnutls-serv")
  /// `nginx`, of the package nginx-light.
  public static let nginx = ExternalTool("nginx")
  /// `apache2`, of the package apache2-bin.
  public static let apache = ExternalTool("apache2")
}

extension ServerFixture {
  /// `openssl s_server` with an entry of testcerts, as in `leaf/p-256`, and more arguments.
  public static func openssl(_ entry: String, _ more: [String] = []) async throws -> ServerFixture {
    let files = Files(entry)
    let chain = try String(contentsOfFile: files.chain, encoding: .utf8)
    return try await openssl(chain: chain, key: files.key, more)
  }

  /// `openssl s_server` with a chain as PEM, leaf first, the file of its key, and more arguments.
  public static func openssl(chain: String, key: String, _ more: [String] = []) async throws -> ServerFixture {
    try await ServerFixture(.openssl) { port, directory in
      let leaf = try directory.write(Array(chain.utf8), as: "leaf.pem")
      // The program sends its certificate and then the others, which must not repeat it.
      let others = chain.components(separatedBy: "-----BEGIN").dropFirst(2).map { "-----BEGIN" + $0 }.joined()
      let file = try directory.write(Array(others.utf8), as: "others.pem")
      let othersArguments = others.isEmpty ? [] : ["-cert_chain", file]
      return ["s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", leaf, "-key", key] + othersArguments + more
    }
  }

  /// `gnutls-serv` with an entry of testcerts and more arguments. It cannot be told to listen on loopback only.
  public static func gnutls(_ entry: String, _ more: [String] = []) async throws -> ServerFixture {
    try await ServerFixture(.gnutlsServ) { port, _ in
      let files = Files(entry)
      return [
        "--port", "\(port)", "--quiet", "--disable-client-cert", "--x509certfile", files.chain, "--x509keyfile",
        files.key,
      ] + more
    }
  }

  /// nginx with an entry of testcerts and more directives of its `server` block.
  public static func nginx(_ entry: String, _ more: [String] = []) async throws -> ServerFixture {
    try await ServerFixture(.nginx) { port, directory in
      let files = Files(entry)
      let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
      let configuration = """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log stderr;
        events {}
        http {
          access_log off;
          \(paths.joined(separator: "\n  "))
          server {
            listen 127.0.0.1:\(port) ssl http2;
            server_name www.steelpin.test;
            ssl_certificate \(files.chain);
            ssl_certificate_key \(files.key);
            \((more + (more.contains { $0.hasPrefix("ssl_protocols") } ? [] : ["ssl_protocols TLSv1.2 TLSv1.3;"]))
              .joined(separator: "\n"))
          }
        }
        """
      _ = try directory.write(Array(configuration.utf8), as: "nginx.conf")
      return ["-p", directory.url.path, "-c", "nginx.conf", "-e", "stderr"]
    }
  }

  /// Apache with an entry of testcerts and more directives.
  public static func apache(_ entry: String, _ more: [String] = []) async throws -> ServerFixture {
    try await ServerFixture(.apache) { port, directory in
      let files = Files(entry)
      let modules = "/usr/lib/apache2/modules"
      let configuration = """
        ServerRoot "\(directory.url.path)"
        ServerName www.steelpin.test
        PidFile apache.pid
        DefaultRuntimeDir .
        ErrorLog /dev/stderr
        LoadModule mpm_prefork_module \(modules)/mod_mpm_prefork.so
        LoadModule authz_core_module \(modules)/mod_authz_core.so
        LoadModule ssl_module \(modules)/mod_ssl.so
        Listen 127.0.0.1:\(port)
        SSLEngine on
        SSLCertificateFile \(files.chain)
        SSLCertificateKeyFile \(files.key)
        \(more.joined(separator: "\n"))
        """
      _ = try directory.write(Array(configuration.utf8), as: "apache.conf")
      return ["-X", "-f", "\(directory.url.path)/apache.conf"]
    }
  }

  /// The files of an entry.
  private struct Files {
    let chain: String
    let key: String

    init(_ entry: String) {
      let directory = TestCerts.directory.appendingPathComponent(entry)
      chain = directory.appendingPathComponent("chain.pem").path
      key = directory.appendingPathComponent("key.pem").path
    }
  }
}
