import FoundationEssentials

/// HKDF-Expand (RFC 5869 2.3) with SHA-256 for callers that hand over the info in pieces.
enum HKDFExpansion {
    /// What one expansion can give: at most 255 blocks of 32 bytes.
    static let outputByteCounts = 1...255 * DigestContext.digestByteCount

    /// Expands the key that the context was made with and uses the context up. Throws `incorrectParameterSize` outside
    /// ``outputByteCounts``. `info` is asked for once per block of 32 bytes.
    static func expand(
        _ keyed: HMACContext, outputByteCount: Int, info: (HMACContext) throws(CryptoKitError) -> Void
    ) throws(CryptoKitError) -> SecretBytes {
        guard outputByteCounts.contains(outputByteCount) else { throw .incorrectParameterSize }
        let blockByteCount = DigestContext.digestByteCount
        return try SecretBytes(byteCount: outputByteCount) { (output) throws(CryptoKitError) in
            try withWipedBytes(blockByteCount) { (block) throws(CryptoKitError) in
                var counter: UInt8 = 0
                for offset in stride(from: 0, to: outputByteCount, by: blockByteCount) {
                    let isLast = outputByteCount - offset <= blockByteCount
                    let context = isLast ? keyed : try HMACContext(copying: keyed)
                    if counter > 0 { try context.update(UnsafeRawBufferPointer(block)) }
                    try info(context)
                    counter += 1
                    try context.update([counter])
                    try context.finish(into: block)
                    let taken = min(blockByteCount, outputByteCount - offset)
                    let target = UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + taken])
                    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<taken]))
                }
            }
        }
    }
}
