// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Reads ``Recording/schema`` strictly: a key that is missing, unknown or given twice is an error with its place.
struct RecordingReader {
  let file: String

  func read(_ bytes: [UInt8]) throws(ConfigurationError) -> [Recording.Server] {
    let root = try JSON5Parser.document(SourceText(bytes, file: file))
    let document = try Fields(root, "the recording", ["schema", "servers"])
    let schema = try document.string("schema")
    guard schema == Recording.schema else {
      throw ConfigurationError(
        .valueInvalid, at: document["schema"].position, "the schema is '\(schema)', and '\(Recording.schema)' is read",
        hint: "use the version of steelpin that wrote the file")
    }
    var servers: [Recording.Server] = []
    for node in try document.array("servers") { servers.append(try server(node)) }
    return servers
  }

  private func server(_ node: DocumentNode) throws(ConfigurationError) -> Recording.Server {
    let fields = try Fields(node, "a server", ["host", "port", "time", "handshake"])
    let name = try fields.string("host")
    let host: HostName
    do throws(HostNameError) {
      host = try HostName(name)
    } catch {
      throw fields.invalid("host", "is no host: \(error)")
    }
    guard case .number(let text) = fields["port"].value, let port = UInt16(text), port > 0 else {
      throw fields.invalid("port", "is no number from 1 to 65535")
    }
    guard let time = Timestamp(try fields.string("time")) else {
      throw fields.invalid("time", "is no time of RFC 3339")
    }
    return Recording.Server(host: host, port: port, time: time, handshake: try handshake(fields["handshake"]))
  }

  private func handshake(_ node: DocumentNode) throws(ConfigurationError) -> HandshakeSummary {
    let fields = try Fields(
      node, "the handshake",
      [
        "version", "cipherSuite", "group", "applicationProtocol", "requestsClientCertificate", "certificates",
        "stapledOCSPResponse",
      ])
    let name = try fields.string("version")
    guard let version = TLSVersion.allCases.first(where: { $0.description == name }) else {
      throw fields.invalid("version", "is no version of TLS, as in 'TLS 1.3'")
    }
    guard case .boolean(let requests) = fields["requestsClientCertificate"].value else {
      throw fields.invalid("requestsClientCertificate", "is neither true nor false")
    }
    var certificates: [[UInt8]] = []
    for item in try fields.array("certificates") { certificates.append(try octets(item, "a certificate")) }
    var staple: [UInt8]?
    if case .null = fields["stapledOCSPResponse"].value {
    } else {
      staple = try octets(fields["stapledOCSPResponse"], "the stapled response")
    }
    return HandshakeSummary(
      version: version, cipherSuite: try fields.string("cipherSuite"), group: try fields.optionalString("group"),
      applicationProtocol: try fields.optionalString("applicationProtocol"), certificates: certificates,
      stapledOCSPResponse: staple, requestsClientCertificate: requests)
  }

  private func octets(_ node: DocumentNode, _ what: String) throws(ConfigurationError) -> [UInt8] {
    guard case .string(let text) = node.value, let octets = Base64.decode(Array(text.utf8)), !octets.isEmpty else {
      throw ConfigurationError(.valueInvalid, at: node.position, "\(what) is not base64")
    }
    return octets
  }
}

/// The members of an object that has all of certain keys and no other.
private struct Fields {
  private let node: DocumentNode
  private let members: [String: DocumentNode]

  init(_ node: DocumentNode, _ what: String, _ keys: [String]) throws(ConfigurationError) {
    guard let members = node.members else {
      throw ConfigurationError(.valueInvalid, at: node.position, "\(what) is \(node.kind), not a dictionary")
    }
    if let unknown = members.first(where: { !keys.contains($0.key) }) {
      throw ConfigurationError(
        .valueInvalid, at: unknown.keyPosition, "'\(unknown.key)' means nothing in \(what)",
        hint: "the keys are \(keys.joined(separator: ", "))")
    }
    self.node = node
    self.members = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    if let missing = keys.first(where: { self.members[$0] == nil }) {
      throw ConfigurationError(.valueInvalid, at: node.position, "\(what) has no '\(missing)'")
    }
  }

  /// The value of a key that was asked for.
  subscript(_ key: String) -> DocumentNode { members[key] ?? node }

  func string(_ key: String) throws(ConfigurationError) -> String {
    guard case .string(let text) = self[key].value else { throw invalid(key, "is not a string") }
    return text
  }

  func optionalString(_ key: String) throws(ConfigurationError) -> String? {
    if case .null = self[key].value { return nil }
    return try string(key)
  }

  func array(_ key: String) throws(ConfigurationError) -> [DocumentNode] {
    guard case .array(let items) = self[key].value else { throw invalid(key, "is not an array") }
    return items
  }

  func invalid(_ key: String, _ problem: String) -> ConfigurationError {
    ConfigurationError(.valueInvalid, at: self[key].position, "'\(key)' \(problem)")
  }
}
