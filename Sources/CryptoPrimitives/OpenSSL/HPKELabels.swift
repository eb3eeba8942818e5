import FoundationEssentials

/// LabeledExtract and LabeledExpand (RFC 9180 4) under one suite_id.
struct HPKELabels {
    let suiteIdentifier: [UInt8]

    /// LabeledExtract(salt, label, ikm): 32 bytes; an absent salt is the empty one.
    func extract(
        salt: SecretBytes?, label: StaticString, _ inputKeyMaterial: UnsafeRawBufferPointer
    ) throws(CryptoKitError) -> SecretBytes {
        let context =
            if let salt {
                try salt.withUnsafeBytes { (bytes) throws(CryptoKitError) in try HMACContext(key: bytes) }
            } else {
                try HMACContext(key: .empty)
            }
        try context.update(Self.version)
        try context.update(suiteIdentifier)
        try context.update(label.bytes)
        try context.update(inputKeyMaterial)
        return try SecretBytes(byteCount: DigestContext.digestByteCount) { (output) throws(CryptoKitError) in
            try context.finish(into: output)
        }
    }

    /// LabeledExpand(prk, label, info, L): `outputByteCount` bytes, `incorrectParameterSize` outside 1...8,160.
    func expand(
        _ pseudoRandomKey: SecretBytes, label: StaticString, info: some DataProtocol, outputByteCount: Int
    ) throws(CryptoKitError) -> SecretBytes {
        guard HKDFExpansion.outputByteCounts.contains(outputByteCount) else { throw .incorrectParameterSize }
        let length = bigEndianBytes(UInt16(outputByteCount))
        return try pseudoRandomKey.withUnsafeBytes { (key) throws(CryptoKitError) -> SecretBytes in
            let keyed = try HMACContext(key: key)
            return try HKDFExpansion.expand(keyed, outputByteCount: outputByteCount) {
                (context) throws(CryptoKitError) in
                try context.update(length)
                try context.update(Self.version)
                try context.update(suiteIdentifier)
                try context.update(label.bytes)
                try context.update(info)
            }
        }
    }

    private static let version = Array("HPKE-v1".utf8)
}

extension StaticString {
    /// The label's bytes, ASCII.
    fileprivate var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
