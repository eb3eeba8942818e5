import FoundationEssentials

/// HMAC-SHA-256 (RFC 2104), every intermediate value in memory that is wiped.
final class HMACContext: @unchecked Sendable {
    private let inner: DigestContext
    private let outerBlock: SecretBytes

    init(key: UnsafeRawBufferPointer) throws(CryptoKitError) {
        let blockByteCount = DigestContext.blockByteCount
        let inner = try DigestContext()
        self.inner = inner
        outerBlock = try SecretBytes(byteCount: blockByteCount) { (block) throws(CryptoKitError) in
            if key.count > blockByteCount {
                try inner.update(key)
                try inner.finish(into: .init(rebasing: block[..<DigestContext.digestByteCount]))
                try inner.start()
            } else {
                block.copyMemory(from: key)
            }
            for index in block.indices { block[index] ^= 0x36 }
            try inner.update(UnsafeRawBufferPointer(block))
            for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
        }
    }

    /// A copy with a state of its own.
    init(copying other: HMACContext) throws(CryptoKitError) {
        inner = try DigestContext(copying: other.inner)
        outerBlock = other.outerBlock
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoKitError) {
        try inner.update(bytes)
    }

    func update(_ bytes: some DataProtocol) throws(CryptoKitError) {
        try bytes.forEachRegion { (region) throws(CryptoKitError) in try inner.update(region) }
    }

    /// Writes the 32 bytes of the code; not to be used afterwards.
    func finish(into code: UnsafeMutableRawBufferPointer) throws(CryptoKitError) {
        try inner.finish(into: code)
        try inner.start()
        try outerBlock.withUnsafeBytes { (block) throws(CryptoKitError) in try inner.update(block) }
        try inner.update(UnsafeRawBufferPointer(code))
        try inner.finish(into: code)
    }
}
