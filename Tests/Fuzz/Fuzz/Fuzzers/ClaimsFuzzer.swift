import CryptoPrimitives
@testable import EnvelopeFormat
import OpenerNSE

/// The plaintext of a message: read by itself, and sealed and opened.
struct ClaimsFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .outcome, .bound, .agreement]
    private static let bound = Bound(factor: 64, constant: 4_096)

    private let device: FuzzDevice
    private let circumstances = Circumstances(0)
    private let conversation: ConversationIdentifier
    private let header: [UInt8]
    private let key: AESGCMSealingKey

    init(_ rings: Rings) throws {
        device = try rings.messages()
        guard let (epoch, secret) = device.keychain.first(.dir) else { throw FormatError(field: "ring", reason: "empty") }
        conversation = epoch.conversation
        header = DirectEnvelope.encodedHeader(epoch.kid)
        key = try AESGCMSealingKey(secret.contentKey(in: epoch.conversation))
    }

    func run(_ input: [UInt8]) throws -> Bool {
        let claims = Self.bound.measured(input.count) { try? Claims(plaintext: input) }
        let padded = try? Claims(plaintext: [0x0A] + input + [UInt8](repeating: 0x20, count: 16))
        require(.refusal, padded == claims && !isPlanted(.refusal), "padding makes a difference")
        let expected = expected(of: claims)
        guard isOne(of: claims == nil ? 8 : 2, input) else {
            if let claims { checkWriting(claims) }
            return expected == .opened
        }
        let opener = circumstances.opener(device)
        let opening = opener.open(sealed: .string(String(decoding: try device.direct(input), as: UTF8.self)), now: circumstances.now)
        require(.door, try opening.checked().outcome == expected && !isPlanted(.door), "a sealed message is judged otherwise")
        guard let claims else { return false }
        try checkSealing(claims)
        checkForbidden(input)
        return opening.outcome == .opened
    }

    private func expected(of claims: Claims?) -> Outcome {
        guard let claims, claims.conversation == conversation else { return .badClaims }
        do throws(Outcome) { try claims.validity.check(at: circumstances.now) } catch { return error }
        return .opened
    }

    private func checkWriting(_ claims: Claims) {
        func written(_ claims: Claims) -> [UInt8] {
            var writer = ByteWriter(capacity: 1_024)
            writer.append(claims)
            return writer.bytes
        }
        let text = written(claims)
        let again = try? Claims(plaintext: altered(.identity, text))
        require(.identity, again == claims, "claims that are written are read otherwise")
        require(.identity, again.map(written) == text, "claims that are written again are others")
    }

    /// The sealer takes what the reader takes, and what it seals opens to the same.
    private func checkSealing(_ claims: Claims) throws {
        guard claims.conversation == conversation else { return }
        let frame = try PayloadFrame(type: "message", body: "New message", imageURL: nil, attributes: nil, limit: 1 << 20)
        let nonce = [UInt8](repeating: 3, count: 12)
        let rendered = try nonce.withUnsafeBytes {
            try frame.sealed(
                claims.stamp, claims.content, padding: .none, overflow: .error, encodedHeader: header, key: key, nonce: $0)
        }
        let opening = circumstances.opener(device).open(payload: rendered.bytes, limit: 1 << 20, now: circumstances.now)
        let isTooLong = rendered.bytes.count > 1 << 20
        require(.door, isTooLong || opening.outcome == expected(of: claims), "what was sealed is not opened")
        require(.identity, opening.content.map { $0 == claims.content } ?? true, "what was sealed opens to something else")
    }

    /// With `nbf` in front they are no claims.
    private func checkForbidden(_ input: [UInt8]) {
        guard let brace = input.firstIndex(of: UInt8(ascii: "{")) else { return }
        let changed = input[...brace] + Array(#""nbf":null,"#.utf8) + input[(brace + 1)...]
        require(.refusal, (try? Claims(plaintext: Array(changed))) == nil, "nbf is taken")
    }

    func exchange(_ input: [UInt8]) throws -> JSONValue? {
        let text = try device.direct(input)
        let opening = circumstances.opener(device).open(sealed: .string(String(decoding: text, as: UTF8.self)), now: circumstances.now)
        return Exchange.offer("text_b64", text, circumstances, opening.answer)
    }
}
