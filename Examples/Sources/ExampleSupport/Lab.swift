// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Steelpin
import SteelpinFormats
public import SteelpinHTTP

/// The servers that scripts/examples starts, as it names them on the command line: the directory of the certificates and
/// then `entry=port`.
public struct Lab: Sendable {
  private let directory: String
  private let ports: [String: Int]

  /// Reads the command line.
  public init() {
    directory = CommandLine.arguments.dropFirst().first ?? ""
    let pairs = CommandLine.arguments.dropFirst(2).map { $0.split(separator: "=") }
    ports = Dictionary(
      pairs.filter { $0.count == 2 }.map { (String($0[0]), Int($0[1]) ?? 0) }, uniquingKeysWith: { $1 })
  }

  /// The octets of a file of the certificates, as in `leaf/p-256/cert.pem`.
  public func file(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: directory).appendingPathComponent(path)))
  }

  /// The first certificate of a file.
  public func certificate(_ path: String) throws -> Certificate {
    guard let first = try CertificateLoader().load(file(path), name: path).certificates.first else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return first.certificate
  }

  /// A URL of the server with an entry's certificate, as in `p-256`.
  public func url(_ entry: String, host: String = "www.steelpin.test", path: String = "/", scheme: String = "https")
    throws
    -> URL
  {
    guard let port = ports[entry], let url = URL(string: "\(scheme)://\(host):\(port)\(path)") else {
      throw URLError(.badURL)
    }
    return url
  }

  /// Options that look for every host on this machine.
  public var options: PinningOptions {
    var options = PinningOptions()
    options.connectTo = ["::127.0.0.1:"]
    options.proxy = .none
    return options
  }
}

/// Prints what became of a request: `NAME: ok STATUS` or `NAME: refused CODE`.
public func report(_ name: String, _ request: () async throws -> Int) async {
  do {
    print("\(name): ok \(try await request())")
  } catch let error as URLError {
    let codes = error.pinningFailure?.verdict?.errors.map(\.code.rawValue).joined(separator: " ")
    print("\(name): refused \(codes ?? error.pinningFailure.map { "\($0.reason)" } ?? "\(error.code.rawValue)")")
  } catch {
    print("\(name): failed \(error)")
  }
}
