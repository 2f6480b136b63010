// SPDX-License-Identifier: Apache-2.0

/// A place in a file that was read.
public struct SourcePosition: Sendable, Hashable, Codable {
  /// The file as it was named.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in characters (Unicode scalars), from 1. In a binary file the line is 1 and this counts octets.
  public let column: Int

  /// A place in a file.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension SourcePosition: Comparable, CustomStringConvertible {
  /// The order of places: by file, line and column.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    if left.file != right.file { return left.file < right.file }
    return (left.line, left.column) < (right.line, right.column)
  }

  /// `file:line:column`, as compilers write it.
  public var description: String { "\(file):\(line):\(column)" }
}
