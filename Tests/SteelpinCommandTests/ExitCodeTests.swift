// SPDX-License-Identifier: Apache-2.0
import SteelpinCommand
import Testing

@Suite struct ExitCodeTests {
  /// The most serious first.
  private static let order: [ExitCode] = [
    .internalFault, .backendsDisagree, .pinMismatch, .trustFailed, .unreachable, .noTLS, .warning, .success,
  ]

  @Test("the numbers are those of the documentation") func numbers() {
    #expect(
      ExitCode.allCases.map(\.rawValue) == [0, 10, 11, 12, 13, 20, 21, 64, 65, 66, 69, 70, 73, 74, 78, 130])
  }

  @Test("the most serious of several wins, in any order", arguments: order.indices, order.indices)
  func precedence(_ first: Int, _ second: Int) {
    let worst = ExitCode.worst([Self.order[first], Self.order[second]])
    #expect(worst == Self.order[min(first, second)])
  }

  @Test("no target at all is a success") func none() { #expect(ExitCode.worst([]) == .success) }
}
