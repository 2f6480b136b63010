// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  /// DER out of OpenSSL's objects and into them.
  enum DERExchange {
    /// What an `i2d_…` function writes for an object; nil if it fails.
    static func encode(
      _ object: OpaquePointer, _ i2d: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    ) -> [UInt8]? {
      let count = i2d(object, nil)
      guard count > 0 else { return nil }
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
        var cursor = buffer.baseAddress
        initialized = max(0, Int(i2d(object, &cursor)))
      }
      return bytes.count == Int(count) ? bytes : nil
    }

    /// The object that a `d2i_…` function reads from all of the bytes; nil if it fails or leaves some of them.
    static func decode<Kind: HandleKind>(
      _ bytes: [UInt8], as kind: Kind.Type,
      _ d2i: (UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, CLong) ->
        OpaquePointer?
    ) -> Handle<Kind>? {
      var consumed = 0
      let object = bytes.withUnsafeBufferPointer { buffer in
        var cursor = buffer.baseAddress
        let object = d2i(nil, &cursor, buffer.count)
        if let start = buffer.baseAddress, let cursor { consumed = cursor - start }
        return object
      }
      guard let handle = Handle<Kind>(adopting: object), consumed == bytes.count else { return nil }
      return handle
    }
  }
#endif
