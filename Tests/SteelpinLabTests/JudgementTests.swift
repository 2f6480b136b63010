// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinLab
import Testing

/// What is made of what a server saw, row by row.
@Suite("judgements of clients") struct JudgementTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let demand: LabDemand
    let seen: LabObservation
    let outcome: LabJudgement.Outcome
    let isAsDemanded: Bool

    init(
      _ demand: LabDemand, _ outcome: LabJudgement.Outcome, _ isAsDemanded: Bool,
      _ change: (inout LabObservation) -> Void
    ) {
      var seen = LabObservation()
      seen.spokeTLS = true
      seen.sawServer = true
      change(&seen)
      self.demand = demand
      self.seen = seen
      self.outcome = outcome
      self.isAsDemanded = isAsDemanded
    }

    var testDescription: String { "\(demand): \(outcome), \(isAsDemanded)" }
  }

  private static let certificate: [UInt8] = [1, 2, 3]

  private static func talks(_ seen: inout LabObservation) {
    seen.finishedHandshake = true
    seen.received = 10
  }

  private static func alerts(_ seen: inout LabObservation) { seen.client.alert = .badCertificate }

  private static let rows: [Row] = [
    Row(.connect, .accepted, true, talks),
    Row(.connect, .refused, false, alerts),
    Row(.connect, .refused, false) { _ in },
    Row(.connect, .silent, false) { $0.finishedHandshake = true },
    Row(.connect, .waited, false) { $0.ending = .timedOut },
    Row(.connect, .notTLS, false) { $0.spokeTLS = false },
    Row(.connect, .handshakeFailed, false) { $0.serverFailure = "no shared cipher" },
    Row(.refuse, .accepted, false, talks),
    Row(.refuse, .accepted, false) {
      talks(&$0)
      alerts(&$0)
    },
    Row(.refuse, .refused, true, alerts),
    Row(.refuse, .refused, true) { _ in },
    Row(.refuse, .refused, true) { $0.ending = .reset },
    Row(.refuse, .leftEarly, false) { $0.sawServer = false },
    Row(.connect, .leftEarly, false) {
      $0.sawServer = false
      $0.ending = .reset
    },
    Row(.giveUp, .gaveUp, true) { $0.sawServer = false },
    Row(.refuse, .refused, true) {
      $0.finishedHandshake = true
      alerts(&$0)
    },
    Row(.refuse, .silent, true) { $0.finishedHandshake = true },
    Row(.refuse, .waited, false) {
      $0.finishedHandshake = true
      $0.ending = .timedOut
    },
    Row(.refuse, .notTLS, false) { $0.spokeTLS = false },
    Row(.refuse, .handshakeFailed, false) { $0.serverFailure = "no shared cipher" },
    Row(.present, .accepted, false, talks),
    Row(.present, .accepted, false) {
      talks(&$0)
      $0.client.certificate = [9]
    },
    Row(.present, .accepted, true) {
      talks(&$0)
      $0.client.certificate = certificate
    },
    Row(.present, .silent, false) { $0.finishedHandshake = true },
    Row(.giveUp, .gaveUp, true) { _ in },
    Row(.giveUp, .gaveUp, true) { $0.ending = .reset },
    Row(.giveUp, .gaveUp, true) { $0.ending = .resetByServer },
    Row(.giveUp, .waited, false) { $0.ending = .timedOut },
    Row(.giveUp, .notTLS, false) { $0.fellBack = true },
    Row(.giveUp, .notTLS, false) { $0.spokeTLS = false },
  ]

  @Test("one connection", arguments: rows) func one(_ row: Row) {
    let judgement = row.demand.judge(row.seen, clientCertificate: Self.certificate)
    #expect(judgement.outcome == row.outcome, "\(judgement)")
    #expect(judgement.isAsDemanded == row.isAsDemanded, "\(judgement)")
    #expect(!judgement.text.isEmpty)
  }

  @Test(
    "several connections",
    arguments: [
      ("", .nobody), ("+", .behaved), ("++", .behaved), ("-", .misbehaved), ("+-", .misbehaved), ("-+", .misbehaved),
      ("p", .notTLS), ("pp", .notTLS), ("+p", .misbehaved), ("p+", .misbehaved), ("p-", .misbehaved),
      ("-p", .misbehaved), ("e", .nobody), ("e+", .behaved), ("-e", .misbehaved), ("ep", .notTLS),
    ] as [(String, LabResult)])
  func several(_ letters: String, _ result: LabResult) {
    let judgements = letters.map { letter in
      var seen = LabObservation()
      seen.spokeTLS = letter != "p"
      seen.sawServer = letter != "e"
      if letter == "-" { Self.talks(&seen) }
      return LabDemand.refuse.judge(seen)
    }
    #expect(LabResult(judgements) == result)
  }
}
