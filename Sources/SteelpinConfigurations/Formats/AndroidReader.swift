// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

/// Reads network_security_config.xml by the rules of AOSP's XmlConfigSource: what it throws for is an error here, and
/// elements that it skips are skipped, with a warning.
struct AndroidReader {
  private let source: ConfigurationSource
  private var session: ReadingSession
  private var configuration: PinConfiguration
  private var seenDomains: [String: SourcePosition] = [:]

  init(source: ConfigurationSource) {
    self.source = source
    self.session = ReadingSession(file: source.path)
    self.configuration = PinConfiguration(format: "android", file: source.path, entries: [])
  }

  mutating func read(_ root: XMLElement) -> PinConfiguration {
    var seen = Set<String>()
    for element in root.children {
      switch element.name {
      case "base-config", "debug-overrides":
        if !seen.insert(element.name).inserted {
          refuse(element.position, "there is more than one <\(element.name)>", "keep one")
        }
        readBase(element)
      case "domain-config": readDomains(element, parent: nil)
      default: skip(element, in: root)
      }
    }
    session.checkAndroidAttributes(root)
    configuration.findings = session.findings
    return configuration
  }

  /// `base-config` and `debug-overrides`, which hold anchors only; what is said for debugging is not in a release.
  private mutating func readBase(_ element: XMLElement) {
    let isDebug = element.name == "debug-overrides"
    if isDebug {
      session.findings.append(
        LintFinding(
          .debugOverrides, .note, at: element.position,
          "<debug-overrides> adds anchors to debuggable builds only; it is not part of any check",
          hint: "make sure that the release is not debuggable"))
    }
    var hasAnchors = false
    for child in element.children {
      switch child.name {
      case "trust-anchors":
        if hasAnchors { refuse(child.position, "there are two <trust-anchors>", "put the certificates into one") }
        hasAnchors = true
        let sources = readAnchors(child, overridesByDefault: isDebug)
        if !isDebug { configuration.anchors = sources }
      case "domain", "pin-set", "domain-config":
        refuse(child.position, "<\(child.name)> is not allowed in <\(element.name)>", "move it into a <domain-config>")
      case "trustkit-config": break
      default: skip(child, in: element)
      }
    }
  }

  private struct Settings {
    var pins: [ConfiguredPin] = []
    var hasPinSet = false
    var expiry: PinExpiry?
    var anchors: [AnchorSource]?
    var enforcement = TrustPolicy.Enforcement.enforce
    var reportURIs: [String] = []
  }

  private mutating func readDomains(_ element: XMLElement, parent: Settings?) {
    var settings = parent ?? Settings()
    var own = (pinSet: false, anchors: false)
    for child in element.children {
      switch child.name {
      case "pin-set":
        if own.pinSet {
          refuse(child.position, "there are two <pin-set> in one <domain-config>", "put the pins into one")
        }
        own.pinSet = true
        settings.hasPinSet = true
        settings.expiry = nil
        settings.pins = readPins(child, &settings)
      case "trust-anchors":
        if own.anchors { refuse(child.position, "there are two <trust-anchors>", "put the certificates into one") }
        own.anchors = true
        settings.anchors = readAnchors(child, overridesByDefault: false)
      case "trustkit-config": readTrustKit(child, &settings)
      case "domain", "domain-config": break
      default: skip(child, in: element)
      }
    }
    let domains = element.children.filter { $0.name == "domain" }
    if domains.isEmpty {
      refuse(element.position, "<domain-config> has no <domain>", "name the domains that it is for")
    }
    for domain in domains { readDomain(domain, settings, isNested: parent != nil) }
    for child in element.children where child.name == "domain-config" { readDomains(child, parent: settings) }
  }

  private mutating func readDomain(_ element: XMLElement, _ settings: Settings, isNested: Bool) {
    let position = element.valuePosition
    let text = element.trimmedText
    guard element.children.isEmpty, !text.isEmpty else {
      return refuse(position, "<domain> must hold the name of a domain and nothing else", "write the name")
    }
    guard let host = session.hostName(text, at: position, in: "Android") else { return }
    // ApplicationConfig strips the dot of the host and puts both into lower case; it knows nothing of IDNA.
    session.refuseOtherSpelling(text, of: host, at: position, in: "Android", ignoringCase: true)
    if let first = seenDomains.updateValue(position, forKey: host) {
      refuse(
        position, "'\(host)' is there already, in line \(first.line)", "name each domain once in the file",
        .hostDuplicate)
    }
    let includes = session.androidBoolean(element, "includeSubdomains") ?? false
    var entry = HostEntry(
      PinnedHosts(name: host, subdomains: includes ? .anyDepth : .none), text: text, position: position)
    entry.pins = settings.pins
    entry.expiry = settings.expiry
    entry.anchors = settings.anchors
    entry.reportURIs = settings.reportURIs
    // The platform enforces pins whatever TrustKit-Android is told; only a missing pin set lets it off.
    entry.enforcement = settings.pins.isEmpty ? settings.enforcement : .enforce
    if settings.hasPinSet { entry.lists = [.any] }
    // An empty pin set is how Android excepts a subdomain from the pins of its parent.
    entry.isExcluded = settings.hasPinSet && settings.pins.isEmpty
    configuration.entries.append(entry)
  }

  private mutating func readPins(_ element: XMLElement, _ settings: inout Settings) -> [ConfiguredPin] {
    if let expiration = element.attribute("expiration") {
      settings.expiry = session.androidExpiry(expiration, at: element.position)
    }
    var pins: [ConfiguredPin] = []
    for child in element.children {
      guard child.name == "pin" else {
        skip(child, in: element)
        continue
      }
      let digest = child.attribute("digest") ?? ""
      if digest != "SHA-256" {
        refuse(
          child.position, "the digest of the pin is '\(digest)', where Android knows SHA-256 only",
          "write digest=\"SHA-256\" and a pin to match", .pinWrongAlgorithm)
      }
      if !child.children.isEmpty { refuse(child.position, "<pin> has elements inside", "leave only the pin in it") }
      pins.append(session.pin(base64: child.trimmedText, at: child.valuePosition))
    }
    return pins
  }

  private mutating func readAnchors(_ element: XMLElement, overridesByDefault: Bool) -> [AnchorSource] {
    element.children.compactMap { child in
      guard child.name == "certificates" else {
        skip(child, in: element)
        return nil
      }
      guard let text = child.attribute("src") else {
        refuse(child.position, "<certificates> has no src", "write src=\"system\", \"user\" or \"@raw/NAME\"")
        return nil
      }
      let overrides = session.androidBoolean(child, "overridePins") ?? overridesByDefault
      if overrides, !overridesByDefault, text == "system" || text == "user" {
        session.warning(
          .pinsOverridden, child.position,
          "overridePins=\"true\": pins do not count where a chain ends at an anchor of the \(text)",
          hint: "remove overridePins, or keep it to an anchor of your own")
      }
      let kind: AnchorSource.Kind
      switch text {
      case "system": kind = .system
      case "user": kind = .user
      default:
        guard text.hasPrefix("@") else {
          refuse(child.position, "src is '\(text)'", "write src=\"system\", \"user\" or \"@raw/NAME\"")
          return nil
        }
        kind = .certificates(resource(text, at: child.position))
      }
      return AnchorSource(kind: kind, text: text, overridesPins: overrides, position: child.position)
    }
  }

  /// The certificates of `@raw/name`: a file `name` with any ending in `../raw`, or beside the configuration.
  private mutating func resource(_ text: String, at position: SourcePosition) -> [Certificate] {
    let parts = text.dropFirst().split(separator: "/")
    let name = String(parts.last ?? "")
    guard parts.count == 2, !name.isEmpty, !name.contains(".") else {
      refuse(position, "'\(text)' names no resource", "write @raw/NAME without the file's ending")
      return []
    }
    for folder in ["../\(parts[0])", "\(parts[0])", "."] {
      guard let names = try? source.files.entries(of: source.sibling(folder)) else { continue }
      guard let file = names.sorted().first(where: { $0 == name || $0.hasPrefix(name + ".") }) else { continue }
      let path = source.sibling("\(folder)/\(file)")
      if let bytes = try? source.files.read(path), let loaded = try? CertificateLoader().load(bytes, name: path) {
        return loaded.certificates.map(\.certificate)
      }
    }
    session.error(
      .anchorUnreadable, position, "the certificates of '\(text)' were not found beside the file, or are none",
      hint: "keep the file in res/raw beside res/xml, as PEM or DER")
    return []
  }

  private mutating func readTrustKit(_ element: XMLElement, _ settings: inout Settings) {
    if session.androidBoolean(element, "enforcePinning") == false {
      settings.enforcement = .reportOnly
      session.findings.append(
        LintFinding(
          .reportOnly, .warning, at: element.position,
          "enforcePinning=\"false\" is for TrustKit; Android itself enforces the pins of a <pin-set> all the same",
          hint: "remove the <pin-set> if pins must not be enforced"))
    }
    for child in element.children where child.name == "report-uri" { settings.reportURIs.append(child.trimmedText) }
  }

  private mutating func refuse(
    _ position: SourcePosition, _ message: String, _ hint: String, _ code: LintCode = .structureInvalid
  ) {
    session.error(code, position, message + "; the app does not start with this file", hint: hint)
  }

  private mutating func skip(_ element: XMLElement, in parent: XMLElement) {
    session.warning(
      .keyUnknown, element.position, "<\(element.name)> means nothing in <\(parent.name)>; Android skips it",
      hint: "mind the spelling, or remove it")
  }
}
