// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

/// Looks at what the operands of `inspect` name.
struct Inspector: Sendable {
  private let invocation: Invocation
  private let inputs: Inputs
  private let connections: ConnectionOptions
  private let now: Timestamp

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    self.inputs = try Inputs(invocation)
    self.connections = try ConnectionOptions(invocation)
    self.now = try TrustOptions.time(invocation.arguments) ?? invocation.now
  }

  /// What a host serves or a file holds.
  func inspect(_ operand: String) async throws(CommandError) -> [Inspection] {
    if Inputs.isFile(operand) { return [try inspectFile(operand)] }
    let target = try connections.target(operand)
    let trust = try TrustOptions(invocation, inputs: inputs)
    var inspections: [Inspection] = []
    for connection in await connections.connect(target) {
      let judgement =
        connection.failure == nil ? try trust.judge(connection.chain, host: connection.target.verifiedHost) : nil
      inspections.append(Inspection(connection: connection, judgement: judgement, invocation, now: now))
    }
    return inspections
  }

  /// A file is shown with the path that its names suggest, up to one of the anchors that were given or else of the
  /// system's.
  private func inspectFile(_ name: String) throws(CommandError) -> Inspection {
    let file = try inputs.file(name)
    let certificates = file.certificates.map(\.certificate)
    guard let leaf = certificates.first else {
      return Inspection(file: file, path: SuggestedPath(certificates: [], end: .unknown), now: now)
    }
    let given = AnchorSet(try inputs.certificates(ofAll: invocation.arguments.values(.cacert)))
    let usesSystem = given.isEmpty || invocation.arguments.has(.withSystemAnchors)
    let names = Set(certificates.flatMap { [$0.issuer, $0.subject] })
    let system = usesSystem ? inputs.systemAnchors(for: names) : nil
    var builder = PathBuilder(
      leaf: leaf, pool: certificates.dropFirst(), anchors: [given] + (system.map { [$0] } ?? []), time: now,
      budget: PathBudget())
    let complete = builder.next()
    let path = complete ?? (builder.longestDeadEnd.isEmpty ? [leaf] : builder.longestDeadEnd)
    let end: SuggestedPath.End =
      if let last = complete?.last { given.contains(last) ? .given : .system } else { .unknown }
    return Inspection(file: file, path: SuggestedPath(certificates: path, end: end), now: now)
  }
}
