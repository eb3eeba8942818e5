extension ByteWriter {
    /// The claims, cut if they must be, and their padding: the plaintext of a sealed payload.
    ///
    /// - Parameter capacity: the longest plaintext that fits, in bytes.
    /// - Returns: whether the body was cut.
    /// - Throws: ``FormatError`` when they do not fit and may not or cannot be cut.
    package mutating func append(
        plaintext stamp: MessageStamp, _ content: Content, capacity: Int, padding: Padding, overflow: Overflow
    ) throws(FormatError) -> Bool {
        let before = count
        append(stamp, content)
        var length = count - before
        var isCut = false
        if length > capacity {
            guard overflow == .truncate, let body = content.body else { throw doesNotFit(length, capacity) }
            wipe(from: before)
            append(stamp, content.cut(toBody: Truncation.mark))
            let least = count - before
            wipe(from: before)
            guard least <= capacity else { throw doesNotFit(least, capacity) }
            append(stamp, content.cut(toBody: Truncation.cut(body, escapedByteCount: capacity - least)))
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

extension Content {
    /// The same with another body, marked as shortened.
    fileprivate func cut(toBody body: String) -> Content {
        var content = self
        content.body = body
        content.isTruncated = true
        return content
    }
}
