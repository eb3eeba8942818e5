package import CryptoPrimitives

/// Claims in, finished payload out: the last step of sealing, the same for the sealer and for known-answer tests.
extension PayloadFrame {
    /// Room for most plaintexts; more is made as needed. Its memory is wiped at the end.
    private static let usualByteCount = 1_000

    /// Seals for all devices of a conversation.
    ///
    /// - Parameters:
    ///   - encodedHeader: ``DirectEnvelope/encodedHeader(_:)`` of the key's `kid`.
    ///   - nonce: 12 bytes, fresh and random for every seal under one key.
    /// - Throws: ``FormatError`` for what does not fit.
    package func sealed(
        _ stamp: MessageStamp, _ content: Content, padding: Padding, overflow: Overflow, encodedHeader: [UInt8], key: AESGCMSealingKey,
        nonce: UnsafeRawBufferPointer
    ) throws -> RenderedPayload {
        var scratch = ByteWriter(capacity: Self.usualByteCount)
        let isTruncated = try scratch.append(
            plaintext: stamp, content, capacity: DirectEnvelope.capacity(room: room, encodedHeader: encodedHeader),
            padding: padding, overflow: overflow)
        let plaintextByteCount = scratch.count
        _ = scratch.extend(DirectEnvelope.tagByteCount)
        let sealed = UnsafeMutableRawBufferPointer(start: scratch.start, count: scratch.count)
        let sealedCount = DirectEnvelope.serializedCount(
            plaintextByteCount: plaintextByteCount, encodedHeader: encodedHeader)
        let byteCount = prefix.count + sealedCount + suffix.count
        let bytes = try [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            guard let start = output.baseAddress else { return }
            prefix.withUnsafeBufferPointer {
                start.update(from: $0.baseAddress ?? UnsafePointer(start), count: $0.count)
            }
            let part = start + prefix.count
            try DirectEnvelope.seal(inPlace: sealed, encodedHeader: encodedHeader, key: key, nonce: nonce, into: part)
            let end = part + sealedCount
            suffix.withUnsafeBufferPointer { end.update(from: $0.baseAddress ?? UnsafePointer(end), count: $0.count) }
            count = byteCount
        }
        return RenderedPayload(bytes: bytes, bytesLeft: room - sealedCount, isTruncated: isTruncated)
    }

    /// Seals for one device.
    ///
    /// - Parameters:
    ///   - encodedHeader: ``HPKEEnvelope/encodedHeader(to:presharedKey:)`` of the device and `kid`.
    ///   - sender: fresh, for that device and P_n, with an empty `info`.
    /// - Throws: ``FormatError`` for what does not fit.
    package func sealed(
        _ stamp: MessageStamp, _ content: Content, padding: Padding, overflow: Overflow, encodedHeader: [UInt8], sender: inout HPKE.Sender
    ) throws -> RenderedPayload {
        var scratch = ByteWriter(capacity: Self.usualByteCount)
        let isTruncated = try scratch.append(
            plaintext: stamp, content, capacity: HPKEEnvelope.capacity(room: room, encodedHeader: encodedHeader),
            padding: padding, overflow: overflow)
        var output = ByteWriter(capacity: prefix.count + room + suffix.count)
        output.append(prefix)
        try HPKEEnvelope.append(
            UnsafeRawBufferPointer(start: scratch.start, count: scratch.count), encodedHeader: encodedHeader,
            sender: &sender, to: &output)
        return finished(&output, isTruncated: isTruncated)
    }

    /// Seals a text in the split profile; nothing of it is cut here.
    ///
    /// - Parameter nonce: fresh and random for every seal under one key.
    /// - Throws: ``FormatError`` for what does not fit.
    package func sealed(_ text: String, key: SymmetricKey, nonce: AES.GCM.Nonce) throws -> RenderedPayload {
        let capacity = SplitEnvelope.capacity(room: room)
        guard text.utf8.count <= capacity else {
            throw FormatError(
                field: "body", reason: "\(text.utf8.count) bytes where \(max(0, capacity)) fit", doesNotFit: true)
        }
        var output = ByteWriter(capacity: prefix.count + room + suffix.count)
        output.append(prefix)
        try SplitEnvelope.append(text, key: key, nonce: nonce, to: &output)
        return finished(&output, isTruncated: false)
    }

    private func finished(_ output: inout ByteWriter, isTruncated: Bool) -> RenderedPayload {
        let sealedCount = output.count - prefix.count
        output.append(suffix)
        return RenderedPayload(bytes: output.bytes, bytesLeft: room - sealedCount, isTruncated: isTruncated)
    }
}
