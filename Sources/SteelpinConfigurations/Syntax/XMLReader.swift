// SPDX-License-Identifier: Apache-2.0
private import CExpat

/// Reads XML through expat. No entity is ever declared, and nothing outside the document is ever read.
@safe final class XMLReader {
  private let text: SourceText
  private let parser: OpaquePointer
  private var stack: [XMLElement] = []
  private var root: XMLElement?
  private var count = 0
  private var failure: ConfigurationError?

  /// The root element of the document.
  static func document(_ text: SourceText) throws(ConfigurationError) -> XMLElement {
    guard let parser = unsafe XML_ParserCreate("UTF-8") else {
      throw ConfigurationError(.limitExceeded, at: text.position(at: 0), "there is no memory for the XML parser")
    }
    return try unsafe XMLReader(text, parser).parse()
  }

  private init(_ text: SourceText, _ parser: OpaquePointer) {
    self.text = text
    unsafe self.parser = parser
  }

  deinit { unsafe XML_ParserFree(parser) }

  private func parse() throws(ConfigurationError) -> XMLElement {
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let reader = unsafe XMLReader.from(data), let name = unsafe name else { return }
        unsafe reader.begin(String(cString: name), attributes)
      },
      { data, _ in unsafe XMLReader.from(data)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { data, characters, count in
      guard let reader = unsafe XMLReader.from(data), let characters = unsafe characters else { return }
      unsafe reader.add(UnsafeBufferPointer(start: characters, count: Int(count)))
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, hasInternalSubset in
      guard hasInternalSubset != 0, let reader = unsafe XMLReader.from(data) else { return }
      reader.stop(.entityRefused, "the DOCTYPE declares entities or attributes of its own")
    }
    unsafe XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      unsafe XMLReader.from(data)?.stop(.entityRefused, "the document declares an entity")
    }
    // A reference to an entity that only an external DTD could declare; expat skips it by default.
    unsafe XML_SetSkippedEntityHandler(parser) { data, _, _ in
      unsafe XMLReader.from(data)?.stop(.entityRefused, "the document refers to an entity that it does not declare")
    }
    unsafe XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
      guard let reader = unsafe XMLReader.from(data), let encoding = unsafe encoding else { return }
      let name = unsafe String(cString: encoding).lowercased()
      guard !["utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii"].contains(name) else { return }
      reader.stop(.entityRefused, "the encoding '\(name)' is not read")
    }
    // In pieces, so that a limit stops the work where it is passed; expat's lengths are C ints.
    var offset = 0
    repeat {
      let end = min(offset + 1 << 16, text.bytes.count)
      let isFinal = end == text.bytes.count
      let status = unsafe text.bytes[offset..<end].withUnsafeBytes { buffer in
        unsafe XML_Parse(
          parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count), isFinal ? 1 : 0)
      }
      if let failure { throw failure }
      guard status == XML_STATUS_OK else { throw syntaxError() }
      offset = end
    } while offset < text.bytes.count
    guard let root else { throw ConfigurationError(.syntax, at: text.position(at: 0), "the document has no element") }
    return root
  }

  private func syntaxError() -> ConfigurationError {
    let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) } ?? "not XML"
    return ConfigurationError(.syntax, at: position, "the XML is broken: \(reason)")
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<XMLReader>.fromOpaque(data).takeUnretainedValue()
  }

  private var position: SourcePosition { text.position(at: unsafe Int(XML_GetCurrentByteIndex(parser))) }

  private func stop(_ code: ConfigurationError.Code, _ message: String) {
    guard failure == nil else { return }
    let hint =
      code == .entityRefused ? "write the document in UTF-8, without entities and without a DTD of its own" : nil
    failure = ConfigurationError(code, at: position, message, hint: hint)
    unsafe XML_StopParser(parser, 0)
  }
}

extension XMLReader {
  private func begin(_ name: String, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    guard failure == nil else { return }
    count += 1
    guard stack.count < DocumentLimits.depth, count <= DocumentLimits.nodes / 4 else {
      stop(
        .limitExceeded, "more than \(DocumentLimits.depth) levels or \(DocumentLimits.nodes / 4) elements are not read")
      return
    }
    var attributes: [(name: String, value: String)] = []
    var cursor = unsafe list
    while let item = unsafe cursor, let key = unsafe item[0], let value = unsafe item[1] {
      unsafe attributes.append((String(cString: key), String(cString: value)))
      unsafe cursor = item + 2
    }
    stack.append(XMLElement(name: name, attributes: attributes, position: position))
  }

  private func end() {
    guard failure == nil, let element = stack.popLast() else { return }
    if stack.isEmpty { root = element } else { stack[stack.count - 1].children.append(element) }
  }

  private func add(_ characters: UnsafeBufferPointer<CChar>) {
    guard failure == nil, !stack.isEmpty else { return }
    let octets = unsafe characters.map { UInt8(bitPattern: $0) }
    let top = stack.count - 1
    if stack[top].textPosition == nil, let first = octets.firstIndex(where: { $0 > 0x20 }) {
      let offset = unsafe Int(XML_GetCurrentByteIndex(parser)) + first
      stack[top].textPosition = text.position(at: offset)
    }
    stack[top].text += String(decoding: octets, as: UTF8.self)
  }
}
