// SPDX-License-Identifier: Apache-2.0
internal import CSteelpin
private import Glibc
internal import SteelpinReports

// The functions of steelpin.h, which says what they do; the compiler checks that they have its types. They only turn C
// values into Swift ones and back: whatever can be found out about a pointer or a length is found out here.

/// The version of the interface of the library.
@c @implementation
public func steelpin_abi_version() -> CInt { STEELPIN_ABI_VERSION }

/// The version of the library.
@c @implementation
public func steelpin_version() -> UnsafePointer<CChar>? {
  steelpinVersionText.withUTF8Buffer { UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self) }
}

/// Makes an evaluator.
@c @implementation
public func steelpin_evaluator_new(
  _ policy: UnsafePointer<CChar>?, _ policyLength: Int, _ options: UnsafePointer<CChar>?, _ optionsLength: Int,
  _ evaluator: UnsafeMutablePointer<OpaquePointer?>?, _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  evaluator?.pointee = nil
  report?.pointee = nil
  do throws(Failure) {
    guard let evaluator else { throw .usage("there is no place for the evaluator: the pointer is NULL") }
    let options = options == nil ? nil : try octets(options, optionsLength, "the options")
    let made = try Evaluator(policy: octets(policy, policyLength, "the policy"), options: options)
    evaluator.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
    return STEELPIN_TRUSTED.status
  } catch {
    report?.pointee = string(error.json)
    return error.status
  }
}

/// Frees an evaluator.
@c @implementation
public func steelpin_evaluator_free(_ evaluator: OpaquePointer?) {
  guard let evaluator else { return }
  Unmanaged<Evaluator>.fromOpaque(UnsafeRawPointer(evaluator)).release()
}

/// Judges a chain.
@c @implementation
public func steelpin_evaluate(
  _ evaluator: OpaquePointer?, _ certificates: UnsafePointer<UnsafePointer<UInt8>?>?, _ lengths: UnsafePointer<Int>?,
  _ count: Int, _ host: UnsafePointer<CChar>?, _ time: UnsafePointer<Int64>?, _ staple: UnsafePointer<UInt8>?,
  _ stapleLength: Int, _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  report?.pointee = nil
  do throws(Failure) {
    guard let evaluator else { throw .usage("there is no evaluator: the pointer is NULL") }
    let question = Question(
      chain: try chain(certificates, lengths, count), host: try host.map { host throws(Failure) in try text(host) },
      time: time?.pointee,
      staple: staple == nil ? nil : try octets(staple, stapleLength, "the stapled response", least: 0))
    let judge = Unmanaged<Evaluator>.fromOpaque(UnsafeRawPointer(evaluator)).takeUnretainedValue()
    let answer = try judge.answer(question)
    report?.pointee = string(answer.json)
    return answer.status
  } catch {
    report?.pointee = string(error.json)
    return error.status
  }
}

/// Frees a report.
@c @implementation
public func steelpin_free(_ report: UnsafeMutablePointer<CChar>?) { free(report) }

// MARK: - Values

/// No certificate, policy or response is larger: 16 MiB.
private let maximumLength = 16 << 20
/// No server sends more certificates.
private let maximumCount = 4096

/// Octets that a caller passes. A length beyond Int comes as a negative one.
private func octets<Octet: FixedWidthInteger>(
  _ pointer: UnsafePointer<Octet>?, _ length: Int, _ what: String, least: Int = 1
) throws(Failure) -> [UInt8] {
  guard let pointer else { throw .usage("\(what): the pointer is NULL") }
  guard least...maximumLength ~= length else {
    let size = UInt(bitPattern: length)
    throw .usage("\(what): the length is \(size), not one from \(least) to \(maximumLength)")
  }
  return Array(UnsafeRawBufferPointer(start: pointer, count: length))
}

private func chain(
  _ certificates: UnsafePointer<UnsafePointer<UInt8>?>?, _ lengths: UnsafePointer<Int>?, _ count: Int
) throws(Failure) -> [[UInt8]] {
  guard let certificates else { throw .usage("the certificates: the pointer is NULL") }
  guard let lengths else { throw .usage("the lengths of the certificates: the pointer is NULL") }
  guard 1...maximumCount ~= count else {
    throw .usage("the certificates: there are \(UInt(bitPattern: count)), not from 1 to \(maximumCount)")
  }
  var chain: [[UInt8]] = []
  for index in 0..<count { chain.append(try octets(certificates[index], lengths[index], "certificate \(index)")) }
  return chain
}

private func text(_ pointer: UnsafePointer<CChar>) throws(Failure) -> String {
  guard let text = String(validatingCString: pointer) else { throw .usage("the host is not UTF-8") }
  return text
}

/// A copy of JSON, which has no NUL inside, that the caller frees; nil if there is no memory for it.
private func string(_ json: JSONValue) -> UnsafeMutablePointer<CChar>? {
  let bytes = json.encoded()
  guard let copy = malloc(bytes.count + 1) else { return nil }
  UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
  copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
  return copy.assumingMemoryBound(to: CChar.self)
}
