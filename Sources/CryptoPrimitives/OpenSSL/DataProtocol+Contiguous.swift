import FoundationEssentials

extension DataProtocol {
    /// Runs the body on the bytes in one piece; what has to be gathered from several regions for that is wiped afterwards.
    func withContiguousBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(CryptoKitError) -> Result
    ) throws(CryptoKitError) -> Result {
        if regions.count == 1, let only = regions.first {
            return try only.withBytes(body)
        }
        return try withWipedBytes(count) { (gathered) throws(CryptoKitError) -> Result in
            _ = copyBytes(to: gathered)
            return try body(UnsafeRawBufferPointer(gathered))
        }
    }

    /// Runs the body on every region in order.
    func forEachRegion(_ body: (UnsafeRawBufferPointer) throws(CryptoKitError) -> Void) throws(CryptoKitError) {
        for region in regions {
            try region.withBytes(body)
        }
    }
}

extension ContiguousBytes {
    /// `withUnsafeBytes` with a typed error.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(CryptoKitError) -> Result
    ) throws(CryptoKitError) -> Result {
        let result = withUnsafeBytes { bytes in
            Swift.Result { () throws(CryptoKitError) -> Result in try body(bytes) }
        }
        return try result.get()
    }
}

extension Data {
    /// `byteCount` bytes which `body` fills; wiped where it throws, so that nothing half made is left behind.
    init(byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws(CryptoKitError) -> Void) throws(CryptoKitError) {
        self.init(count: byteCount)
        let result = withUnsafeMutableBytes { bytes in
            Swift.Result { () throws(CryptoKitError) in
                do throws(CryptoKitError) {
                    try body(bytes)
                } catch {
                    wipe(bytes)
                    throw error
                }
            }
        }
        try result.get()
    }
}
