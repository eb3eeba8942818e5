@testable import EnvelopeFormat
import OpenerNSE

/// Compact strings. The first byte says in which state the device is, and what the rest is: the string itself, or a header, a zero
/// byte, and a plaintext that is sealed with that header, whatever it says.
struct JWEFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .outcome, .bound, .agreement]
    private static let bound = Bound(factor: 64, constant: 16_384)

    private let device: FuzzDevice

    init(_ rings: Rings) throws { device = try rings.messages() }

    func run(_ input: [UInt8]) throws -> Bool {
        let (circumstances, text) = try question(input)
        var refusal: Outcome?
        do { _ = try Self.bound.measured(text.count) { () throws(Outcome) in try SealedPayload(message: text) } } catch { refusal = error }
        checkParts(text, refusal)
        let isBundle = (try? ProvisioningBundle.envelope(text)) != nil
        require(.refusal, !(isBundle && refusal == nil), "a message that is a bundle")
        for sign in refusal == nil ? ["=", " ", ".", "\n"] : ["=", " "] {
            let changed = isPlanted(.refusal) ? text : text + Array(sign.utf8)
            require(.refusal, (try? SealedPayload(message: changed)) == nil, "something may follow")
        }
        guard let string = String(strictUTF8: text) else {
            require(.refusal, refusal == .malformed, "no text, and not malformed")
            return false
        }
        // Most of what is no message any more takes hundreds of times as long to be found not authentic.
        guard circumstances.form > 0 || isOne(of: 4, input) else { return false }
        let opener = circumstances.opener(device)
        let opening = try Self.bound.measured(text.count) { opener.open(sealed: .string(string), now: circumstances.now) }.checked()
        if let refusal {
            let expected = text.count > PayloadLimit.sealedText ? .tooLarge : refusal
            require(.door, opening.outcome == expected && !isPlanted(.door), "what the reader refuses is not refused so")
        }
        return opening.outcome == .opened
    }

    /// The parts are the text again.
    private func checkParts(_ text: [UInt8], _ refusal: Outcome?) {
        guard let jwe = try? CompactJWE(text) else {
            require(.door, refusal == .malformed, "no JWE, and not malformed")
            return
        }
        let parts = [jwe.encryptedKey, jwe.initializationVector, jwe.ciphertext, jwe.tag].map { Array(Base64URL.encode($0).utf8) }
        let written = parts.reduce(jwe.associatedData) { $0 + [0x2E] + $1 }
        require(.identity, altered(.identity, written) == text, "the parts are not the text")
    }

    private func question(_ input: [UInt8]) throws -> (Circumstances, [UInt8]) {
        let circumstances = Circumstances(input.first ?? 0)
        let rest = Array(input.dropFirst())
        guard circumstances.form > 0 else { return (circumstances, rest) }
        let parts = rest.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        let header = Array(Base64URL.encode(parts[0]).utf8)
        let plaintext = parts.count > 1 ? parts[1] : []
        switch circumstances.form & 3 {
        case 1: return (circumstances, try device.direct(plaintext, header: header))
        case 2: return (circumstances, try device.toDevice(plaintext, header: header))
        case 3: return (circumstances, try device.bundle(plaintext, header: header))
        default: return (circumstances, try device.direct(plaintext))
        }
    }

    func exchange(_ input: [UInt8]) throws -> JSONValue? {
        let (circumstances, text) = try question(input)
        guard let string = String(strictUTF8: text) else { return nil }
        let opening = circumstances.opener(device).open(sealed: .string(string), now: circumstances.now)
        return Exchange.offer("text_b64", text, circumstances, opening.answer)
    }
}
