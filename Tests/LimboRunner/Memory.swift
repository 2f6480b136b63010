// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The memory that the process holds, as Linux counts it.
enum Memory {
  /// Gives back what was freed, forgets the peak so far, and tells how many octets are held now.
  static func restart() -> Int {
    _ = trim?(0)
    // 5 sets the peak to what is held now (proc(5)).
    if let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
      try? file.write(contentsOf: Data("5".utf8))
      try? file.close()
    }
    return value(of: "VmRSS")
  }

  /// malloc_trim(3), which the importer does not see.
  private static let trim = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
  }

  /// The most octets that were held since then.
  static var peak: Int { value(of: "VmHWM") }

  private static func value(of field: String) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return kibibytes << 10
  }
}
