@testable import EnvelopeFormat

/// Strict JSON: one value, nothing twice, no deeper than 16.
struct JSONFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .bound, .agreement]
    private static let bound = Bound(factor: 64, constant: 1_024)
    private static let secret = "k"

    init(_: Rings) {}

    func run(_ input: [UInt8]) -> Bool {
        let value = Self.bound.measured(input.count) { try? JSONValue.parse(input) }
        if isOne(of: 2, input) {
            let padded = try? JSONValue.parse(Array(" \t".utf8) + input + Array("\r\n".utf8))
            require(.refusal, padded == value && !isPlanted(.refusal), "white space around it makes a difference")
            require(.refusal, (try? JSONValue.parse([0xEF, 0xBB, 0xBF] + input)) == nil, "a byte order mark is taken")
            require(.refusal, (try? JSONValue.parse(input + [0])) == nil, "a zero byte is taken")
        } else {
            checkSecretReading(input, value)
        }
        guard let value else { return false }
        let written = altered(.identity, value.write())
        let again = Self.bound.measured(written.count) { try? JSONValue.parse(written) }
        require(.identity, again == value && again?.write() == written, "what is written is read otherwise")
        require(.identity, value.isStrict(containers: JSONReader.maximumDepth), "what was read is not called strict")
        if isOne(of: 4, input) { checkLimits(value, written) }
        return true
    }

    /// What must be refused, made of what was accepted.
    private func checkLimits(_ value: JSONValue, _ written: [UInt8]) {
        switch value {
        case .object(let members):
            guard let first = members.first else { return }
            let twice = JSONValue.object(members + [JSONMember(first.name, .null)])
            require(.refusal, (try? JSONValue.parse(twice.write())) == nil, "a member is there twice")
            require(.refusal, !twice.isStrict(containers: JSONReader.maximumDepth), "a member twice is called strict")
        case .array: break
        default: return
        }
        let deep = JSONReader.maximumDepth
        let nested = [UInt8](repeating: 0x5B, count: deep) + written + [UInt8](repeating: 0x5D, count: deep)
        require(.refusal, (try? JSONValue.parse(nested)) == nil, "deeper than allowed")
    }

    /// Reading that keeps a secret apart takes the same, but that the secret is not yet known to be UTF-8.
    private func checkSecretReading(_ input: [UInt8], _ value: JSONValue?) {
        guard let (rest, secrets) = try? JSONReader.read(input, secretMembers: [Self.secret]) else {
            require(.door, value == nil && !isPlanted(.door), "a secret inside makes it refused")
            return
        }
        let text = value?[Self.secret]?.text
        guard let secret = secrets.first?.text else {
            require(.door, rest == value && !isPlanted(.door), "without a secret it is read otherwise")
            return
        }
        guard let value else {
            require(.door, SecretText.decode(secret) == nil, "a key where nothing may be read")
            return
        }
        require(.door, text.map { Array($0.utf8) } == secret.withUnsafeBytes { Array($0) }, "another secret")
        require(.door, rest.members?.count == value.members?.count && rest[Self.secret] == .string(""), "the secret is left behind")
    }

    func exchange(_ input: [UInt8]) -> JSONValue? {
        Exchange.reading(input, (try? JSONValue.parse(input))?.write())
    }
}
