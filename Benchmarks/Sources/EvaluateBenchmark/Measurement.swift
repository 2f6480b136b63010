// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Measures two pieces of work turn by turn in one run, so that a busy machine slows both.
struct Comparison {
  /// Nanoseconds an operation, one value a round.
  private(set) var ours: [Double] = []
  private(set) var peers: [Double] = []

  /// Runs both in 21 rounds, on a number of threads each; `operations` is what one call does on one thread.
  init(threads: Int = 1, operations: (ours: Int, peer: Int), ours: @Sendable () -> Void, peer: @Sendable () -> Void) {
    _ = (Self.time(threads, ours), Self.time(threads, peer))
    for _ in 0..<21 {
      self.ours.append(Self.time(threads, ours) / Double(operations.ours))
      self.peers.append(Self.time(threads, peer) / Double(operations.peer))
    }
  }

  /// How many times faster we are: the median of the rounds' ratios, with the quartiles.
  var ratio: (low: Double, median: Double, high: Double) {
    let ratios = zip(peers, ours).map { $0 / $1 }.sorted()
    return (ratios[ratios.count / 4], ratios[ratios.count / 2], ratios[ratios.count * 3 / 4])
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func time(_ threads: Int, _ work: @Sendable () -> Void) -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    if threads == 1 { work() } else { DispatchQueue.concurrentPerform(iterations: threads) { _ in work() } }
    return Double(DispatchTime.now().uptimeNanoseconds - start)
  }
}

/// One line of the report.
func report(_ name: String, _ comparison: Comparison, peer: String, target: String) {
  let (low, median, high) = comparison.ratio
  func text(_ value: Double) -> String {
    value < 10 ? "\((value * 100).rounded() / 100)" : "\((value * 10).rounded() / 10)"
  }
  func micro(_ value: Double) -> String { "\((value / 10).rounded() / 100) us" }
  print(
    "\(name): \(text(median)) x \(peer) (quartiles \(text(low)) to \(text(high)); "
      + "\(micro(Comparison.median(comparison.ours))) against \(micro(Comparison.median(comparison.peers))); "
      + "target \(target))")
}

/// Stops the run if work did not do what it was timed for.
func demand(_ condition: Bool, _ what: String) {
  guard condition else {
    FileHandle.standardError.write(Data("\(what) failed\n".utf8))
    exit(1)
  }
}
