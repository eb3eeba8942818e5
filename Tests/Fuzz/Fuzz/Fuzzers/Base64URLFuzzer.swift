import EnvelopeFormat

/// Text in base64url and base64: canonical or refused.
struct Base64URLFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .bound, .agreement]
    private static let bound = Bound(factor: 2, constant: 1_024)

    init(_: Rings) {
        // The tables, which are made once.
        _ = Base64URL.decode(Base64URL.encode([0]))
    }

    func run(_ input: [UInt8]) -> Bool {
        let decoded = Self.bound.measured(input.count) { Base64URL.decode(input) }
        if let decoded {
            require(.identity, altered(.identity, Array(Base64URL.encode(decoded).utf8)) == input, "text is not as its bytes are written")
        }
        let text = Base64URL.encode(input)
        require(.identity, Base64URL.decode(text) == input, "bytes are not as their text is read")
        require(.identity, text.utf8.count == Base64URL.encodedCount(input.count), "another length than told")
        // No sign is without meaning: with any of these it is no base64url, whatever it was.
        for sign in ["=", " ", "\n", ".", "+", "/", "\0", "\u{E9}"] {
            require(.refusal, read(input + Array(sign.utf8)) == nil, "something may follow")
            require(.refusal, read(Array(sign.utf8) + input) == nil, "something may stand before")
        }
        // The same letters with their padding are base64, but for the last two.
        let padded = input.map { [0x2D: 0x2B, 0x5F: 0x2F][$0] ?? $0 } + [UInt8](repeating: 0x3D, count: (4 - input.count % 4) % 4)
        if !input.contains(where: { $0 == 0x2B || $0 == 0x2F || $0 == 0x3D }), input.count % 4 != 1 {
            let other = Base64.decode(padded)
            require(.door, (isPlanted(.door) ? [] : other) == decoded, "base64 says otherwise than base64url")
            if let other { require(.identity, Array(Base64.encode(other).utf8) == padded, "base64 is not as it is written") }
        }
        return decoded != nil
    }

    private func read(_ text: [UInt8]) -> [UInt8]? {
        Base64URL.decode(isPlanted(.refusal) ? text.filter { $0 != 0x20 } : text)
    }

    func exchange(_ input: [UInt8]) -> JSONValue? {
        Exchange.reading(input, Base64URL.decode(input))
    }
}
