import FoundationEssentials

extension DataProtocol {
    /// Runs the body on the bytes in one piece; what has to be gathered from several regions for that is wiped afterwards.
    func withContiguousBytes(_ body: (UnsafeRawBufferPointer) throws(CryptoKitError) -> Void) throws(CryptoKitError) {
        if regions.count == 1, let only = regions.first {
            return try only.withBytes(body)
        }
        try withWipedBytes(count) { (gathered) throws(CryptoKitError) in
            copyBytes(to: gathered)
            try body(UnsafeRawBufferPointer(gathered))
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
    func withBytes(_ body: (UnsafeRawBufferPointer) throws(CryptoKitError) -> Void) throws(CryptoKitError) {
        var failure: CryptoKitError?
        withUnsafeBytes { bytes in
            do throws(CryptoKitError) {
                try body(bytes)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

extension Data {
    /// `byteCount` bytes which `body` fills; wiped where it throws, so that nothing half made is left behind.
    init(byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws(CryptoKitError) -> Void) throws(CryptoKitError) {
        self.init(count: byteCount)
        var failure: CryptoKitError?
        withUnsafeMutableBytes { bytes in
            do throws(CryptoKitError) {
                try body(bytes)
            } catch {
                wipe(bytes)
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes.
    static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
