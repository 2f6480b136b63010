// SPDX-License-Identifier: Apache-2.0
internal import CSteelpin
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats

/// The options of an evaluator, out of their JSON.
struct EvaluatorOptions: Sendable {
  /// The libraries by name; nil for all.
  private var backend: String?
  /// What `system` means; nil for the anchors of this system.
  private(set) var systemAnchors: AnchorSet?
  /// Revocation lists and OCSP responses.
  private(set) var evidence = RevocationEvidence()

  /// Reads options; nil has none.
  init(_ json: [UInt8]?) throws(Failure) {
    guard let json else { return }
    do throws(PolicyDocumentError) {
      try read(json)
    } catch {
      throw Failure(error)
    }
  }

  private mutating func read(_ json: [UInt8]) throws(PolicyDocumentError) {
    var session = ReadingSession(file: "options")
    let root: DocumentNode
    do throws(ConfigurationError) {
      root = try JSON5Parser.document(SourceText(json, file: session.file))
    } catch {
      throw PolicyDocumentError(error)
    }
    for member in session.members(root, "the options") ?? [] {
      switch member.key {
      case "backend": backend = session.word(member, ["openssl", "gnutls", "both"])
      case "systemAnchors":
        systemAnchors = AnchorSet(
          session.texts(member).flatMap { session.certificates($0, InlineCertificates()) ?? [] })
      case "evidence": for text in session.texts(member) { add(text, &session) }
      default: session.refuse(member, known: ["backend", "systemAnchors", "evidence"])
      }
    }
    try session.throwFindings()
  }

  private mutating func add(_ text: ReadingSession.Text, _ session: inout ReadingSession) {
    let hint = "write PEM, or base64 of the DER of a revocation list or an OCSP response"
    let file: LoadedFile
    do throws(LoadError) {
      file = try CertificateLoader().examine(Array(text.text.utf8), name: "the text")
    } catch {
      return session.error(.valueWrong, text.position, error.message, hint: error.remedy ?? hint)
    }
    do throws(UnreadableEvidence) {
      guard try !evidence.add(file) else { return }
      session.error(.valueWrong, text.position, "this is neither a revocation list nor an OCSP response", hint: hint)
    } catch {
      session.error(.valueWrong, text.position, error.message, hint: hint)
    }
  }

  /// The libraries that judge.
  func backends() throws(Failure) -> [Backend] {
    let all = Backend.all
    guard let backend else { return all }
    let chosen = backend == "both" ? all : all.filter { $0.name == backend }
    guard chosen.count == (backend == "both" ? 2 : 1) else {
      throw Failure(
        STEELPIN_BACKEND_UNAVAILABLE.status, code: "backend-unavailable",
        "\(backend): not in this build of the library",
        hint: "this build has \(all.map(\.name).joined(separator: ", "))")
    }
    return chosen
  }
}
