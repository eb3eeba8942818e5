extension ByteWriter {
    /// The claims, cut if they must be, and their padding: the plaintext of a sealed payload.
    ///
    /// - Parameter capacity: the longest plaintext that fits, in bytes.
    /// - Returns: whether the body was cut.
    /// - Throws: ``FormatError`` when they do not fit and may not or cannot be cut.
    package mutating func append(
        plaintext claims: Claims, capacity: Int, padding: Padding, overflow: Overflow
    ) throws(FormatError) -> Bool {
        let before = count
        append(claims)
        var length = count - before
        var isCut = false
        if length > capacity {
            guard overflow == .truncate, let body = claims.content.body else { throw doesNotFit(length, capacity) }
            wipe(from: before)
            append(claims.cut(toBody: Truncation.mark))
            let least = count - before
            wipe(from: before)
            guard least <= capacity else { throw doesNotFit(least, capacity) }
            append(claims.cut(toBody: Truncation.cut(body, escapedByteCount: capacity - least)))
            length = count - before
            isCut = true
        }
        append(repeating: UInt8(ascii: " "), count: padding.paddedCount(length, capacity: capacity) - length)
        return isCut
    }

    private func doesNotFit(_ length: Int, _ capacity: Int) -> FormatError {
        FormatError(
            field: "request", reason: "\(length) bytes of claims where \(max(0, capacity)) fit", doesNotFit: true)
    }
}
