// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinTestSupport
import Testing

@testable import SteelpinFormats

/// Good files with bits flipped, bytes lost, doubled or moved: a clear error or whole certificates, never a crash and
/// never an empty list.
struct MutationTests {
  /// SplitMix64: the same mutations in every run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private static let corpus: [[UInt8]] = {
    let directory = TestCerts.directory.deletingLastPathComponent().appendingPathComponent("Tests/Corpus/loader")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.sorted().compactMap { try? Array(Data(contentsOf: directory.appendingPathComponent($0))) }
  }()

  @Test(arguments: 1...10) func aThousandMutations(_ seed: UInt64) throws {
    var generator = Generator(state: seed)
    #expect(Self.corpus.count > 10)
    for _ in 0..<1000 {
      guard var bytes = Self.corpus.randomElement(using: &generator) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        Self.mutate(&bytes, &generator)
      }
      do throws(LoadError) {
        let file = try CertificateLoader().examine(bytes, name: "mutated")
        #expect(!file.certificates.isEmpty || !file.others.isEmpty)
      } catch {
        #expect(!error.what.isEmpty && error.place.file == "mutated")
      }
    }
  }

  private static func mutate(_ bytes: inout [UInt8], _ generator: inout Generator) {
    let index = Int.random(in: bytes.indices, using: &generator)
    let end = min(bytes.count, index + Int.random(in: 1...16, using: &generator))
    switch Int.random(in: 0...5, using: &generator) {
    case 0: bytes.removeSubrange(index...)
    case 1: bytes.removeSubrange(index..<end)
    case 2: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &generator))
    case 3: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 4: bytes[index] = [0x00, 0x30, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
    default: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    }
  }
}
