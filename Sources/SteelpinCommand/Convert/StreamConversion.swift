// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats
internal import SteelpinReports

/// One run of `convert` over a large bundle, in one pass and bounded memory.
struct StreamConversion: Sendable {
  private let invocation: Invocation
  private let request: ConvertRequest

  init(_ invocation: Invocation, _ request: ConvertRequest) {
    self.invocation = invocation
    self.request = request
  }

  /// Whether the operand is a large file that goes through in one pass.
  func isFor(_ operand: String) -> Bool {
    let needsAll = request.leafOnly || request.buildsBundle || !request.keepsOrder
    guard !needsAll, !invocation.arguments.has(.strict) else { return false }
    if case .directory = request.destination {
      guard BundleConverter.formats.union([.der]).contains(request.format) else { return false }
    } else {
      guard BundleConverter.formats.contains(request.format) else { return false }
    }
    return FileReader.sizeOfPEM(operand) > 4 << 20
  }

  /// Converts the bundle.
  func convert(_ operand: String) throws(CommandError) {
    do throws(LoadError) {
      switch request.destination {
      case .directory(let directory): try split(operand, directory)
      case .file(let path) where request.isDryRun:
        try AtomicFile.check(path, mayReplace: request.mayReplace)
        let outcome = try converter.convert(operand) { (_) throws(LoadError) in }
        note(outcome, operand)
        try report(outcome, path)
      case .file(let path):
        let file = try AtomicFile(path, mayReplace: request.mayReplace)
        let outcome = try converter.convert(operand) { (piece) throws(LoadError) in try file.append(piece) }
        try file.commit()
        note(outcome, operand)
        try report(outcome, path)
      case .standardOutput:
        note(try converter.convert(operand) { (piece) throws(LoadError) in try invocation.emit(piece) }, operand)
      }
    } catch {
      throw CommandError(error)
    }
  }

  private var converter: BundleConverter {
    BundleConverter(request.writer, leavesOutRoots: request.leavesOutRoots)
  }

  /// One file for each certificate. How many there are is known only at the end, so that the numbers have the digits
  /// that a file of this size could need.
  private func split(_ operand: String, _ directory: String) throws(LoadError) {
    let digits = SplitName.digits(forCount: FileReader.sizeOfPEM(operand) / Self.shortBlock)
    let files = try SplitDirectory(directory, mayReplace: request.mayReplace, isDryRun: request.isDryRun)
    var batch: [(name: String, bytes: [UInt8])] = []
    var count = 0
    let outcome = try converter.forEachFile(of: operand, needsBytes: !request.isDryRun) {
      (label, bytes) throws(LoadError) in
      batch.append((SplitName.of(label, count, digits: digits, request.format), bytes))
      count += 1
      guard batch.count == Self.batchSize else { return }
      try files.add(batch)
      batch.removeAll(keepingCapacity: true)
    }
    try files.add(batch)
    guard outcome.count > 0 else {
      throw LoadError.nothingToWrite(FileReader.name(of: operand))
    }
    try files.commit()
    note(outcome, operand)
    if request.isDryRun {
      try report(outcome, files: files.names.map { ("\(directory)/\($0)", 1) })
    } else {
      try report(outcome, directory)
    }
  }

  /// As many files are written at once.
  private static let batchSize = 256

  /// PEM of fewer bytes holds no certificate.
  private static let shortBlock = 512

  // MARK: Reporting

  private func note(_ outcome: BundleConverter.Outcome, _ operand: String) {
    if outcome.duplicates > 0 {
      invocation.printer.note("left out \(Counted.text(outcome.duplicates, "certificate")) given more than once")
    }
    for (kind, count) in outcome.others.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      invocation.printer.note(
        "warning: \(operand) holds \(kind.phrase) \(count == 1 ? "" : "\(count) times"), not written")
    }
  }

  private func report(_ outcome: BundleConverter.Outcome, _ path: String) throws(LoadError) {
    try report(outcome, files: [(path, outcome.count)])
  }

  private func report(
    _ outcome: BundleConverter.Outcome, files: [(path: String, count: Int)]
  ) throws(LoadError) {
    do throws(CommandError) {
      if invocation.wantsJSON {
        try invocation.printer.result(
          JSONSchema.document("convert").adding([
            "format": .string(request.format.rawValue),
            "files": .array(files.map { ["path": .string($0.path), "certificates": .integer($0.count)] }),
            "duplicates": .integer(outcome.duplicates),
          ]))
      } else {
        try invocation.printer.result(
          files.map {
            [.bold($0.path), .plain("  \(Counted.text($0.count, "certificate")), \(request.format.rawValue)")]
          })
      }
    } catch {
      throw LoadError.standardOutput
    }
  }
}
