import EnvelopeFormat

/// One line that a worker wrote: when the seal began, what its body says, and the payload.
struct SealedLine {
    let start: Int64
    let name: String
    let payload: [UInt8]
    /// The epoch it was sealed under.
    let kid: KeyIdentifier
    /// The one device it is for; nil with `dir`.
    let recipient: DeviceThumbprint?
    /// What must never be there twice: the IV, or the encapsulated key.
    let nonce: String

    init?(_ line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let start = Int64(parts[0]) else { return nil }
        self.start = start
        name = String(parts[1])
        payload = Array(parts[2].utf8)
        guard case .string(let text)? = try? SealedMember(payload: payload, limit: PayloadLimit.standard),
            let sealed = try? SealedPayload(message: Array(text.utf8)), let kid = sealed.keyIdentifier
        else { return nil }
        self.kid = kid
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        switch sealed {
        case .dir:
            recipient = nil
            nonce = String(fields[2])
        case .hpke7(let envelope):
            recipient = envelope.recipient
            nonce = String(fields[1])
        }
    }
}
