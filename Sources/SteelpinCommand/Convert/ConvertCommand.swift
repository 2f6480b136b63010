// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

extension Command {
  /// `steelpin convert`.
  static let convert = Command(
    "convert", "turn certificate files into other formats", operands: "FILE|DIR|HOST[:PORT]…", completion: .file,
    notes: """
      Reads PEM, DER, PKCS#7, PKCS#12, Java key stores, a directory of them, standard input as -, or what a
      server sends. Certificates come leaf first and each once. Nothing is replaced without --force, and a
      file appears whole or not at all. Private keys are never written.
      """,
    examples: [
      ("steelpin convert server.crt -o server.cer", "the DER that Apple's loader takes, out of a server's PEM"),
      ("steelpin convert --bundle downloads/ -o chain.pem", "the chain out of a heap of files"),
      ("steelpin convert example.org --split pins/ --to der", "each certificate that a server sends, in a file"),
    ],
    options: [
      .outputFile, .to, .split, .order, .bundle, .leaf, .noRoot, .leafOnly, .comments, .force, .dryRun, .strict,
      .passwordFile,
    ] + .connection + .output,
    statuses: [
      .success, .unreachable, .noTLS, .usage, .badData, .inputMissing, .backendUnavailable, .wouldOverwrite,
      .inputOutput,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let operands = invocation.arguments.operands
    guard !operands.isEmpty else {
      throw .usage("convert needs a file, a directory or a host", hint: "steelpin convert server.crt -o server.cer")
    }
    let request = try ConvertRequest(invocation)
    let stream = StreamConversion(invocation, request)
    if operands.count == 1, let operand = operands.first, stream.isFor(operand) {
      try stream.convert(operand)
      return .success
    }
    var inputs = ConvertInputs(invocation, password: request.password)
    for operand in operands { try await inputs.add(operand) }
    try Conversion(invocation, request).convert(inputs, name: operands.joined(separator: " "))
    return .success
  }
}
