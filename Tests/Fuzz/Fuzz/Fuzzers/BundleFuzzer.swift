import CryptoPrimitives
@testable import EnvelopeFormat
import OpenerNSE

/// Provisioning bundles. The first byte says in which state the device is, and what the rest is: a compact string, the JWK to be
/// sealed in one, or a header, a zero byte and the JWK.
struct BundleFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .outcome, .bound, .agreement]
    private static let bound = Bound(factor: 64, constant: 16_384)
    private static let outcomes: Set<Outcome> = [
        .malformed, .unsupported, .unknownKey, .keyLocked, .notAuthentic, .badClaims, .expired, .notYetValid, .replayed, .conflict,
        .installed,
    ]
    /// What a JWK that was read can still come to.
    private static let laterOutcomes: Set<Outcome> = [.expired, .notYetValid, .replayed, .conflict, .keyLocked, .installed]

    private let device: FuzzDevice

    init(_ rings: Rings) throws { device = try rings.bundles() }

    func run(_ input: [UInt8]) throws -> Bool {
        let circumstances = Circumstances(input.first ?? 0)
        let rest = Array(input.dropFirst())
        guard circumstances.form > 0 else { return try offer(rest, circumstances) == .installed }
        let (header, jwk) = Self.parts(rest, circumstances)
        let read = Self.bound.measured(jwk.count) { try? ProvisioningBundle(jwk: jwk) }
        let padded = try? ProvisioningBundle(jwk: [0x09] + jwk + [0x20])
        require(.refusal, Self.isSame(read, padded) && !isPlanted(.refusal), "white space around a JWK makes a difference")
        // Opening HPKE takes a hundred times as long.
        guard isOne(of: header != nil ? 4 : read != nil ? 8 : 64, input) else { return false }
        let outcome = try offer(try device.bundle(jwk, header: header), circumstances)
        if header == nil, circumstances.lock != .beforeFirstUnlock {
            let agrees = read == nil ? outcome == .badClaims : Self.laterOutcomes.contains(outcome)
            require(.door, agrees && !isPlanted(.door), "a sealed bundle is judged otherwise than its JWK")
        }
        if let read { try checkWriting(read) }
        return outcome == .installed
    }

    /// Offers a compact string.
    private func offer(_ text: [UInt8], _ circumstances: Circumstances) throws -> Outcome {
        var refusal: Outcome?
        do { _ = try Self.bound.measured(text.count) { () throws(Outcome) in try ProvisioningBundle.envelope(text) } } catch {
            refusal = error
        }
        let result = accept(text, circumstances)
        require(.outcome, Self.outcomes.contains(isPlanted(.outcome) ? .opened : result.outcome), "no outcome of a bundle")
        if let refusal { require(.door, result.outcome == refusal, "what the reader refuses is not refused so") }
        require(.refusal, refusal != nil || (try? SealedPayload(message: text)) == nil, "a bundle that is a message")
        require(.refusal, (try? ProvisioningBundle.envelope(text + [0x3D])) == nil, "something may follow")
        return result.outcome
    }

    private func accept(_ text: [UInt8], _ circumstances: Circumstances) -> BundleResult {
        let acceptance = BundleAcceptance(keychain: device.keychain.under(circumstances))
        return Self.bound.measured(text.count) { acceptance.accept(text, now: circumstances.now) }
    }

    /// What is sealed of a bundle that was read is the same bundle.
    private func checkWriting(_ bundle: ProvisioningBundle) throws {
        guard let recipient = device.keychain.thumbprint() else { return }
        var sender = device.bundleSender
        let text = Array(try bundle.sealed(to: recipient, sender: &sender).utf8)
        let envelope = try ProvisioningBundle.envelope(text)
        let again = try? ProvisioningBundle.open(
            envelope, with: device.keychain.key, enrollmentSecret: device.keychain.secret, now: bundle.validity.issuedAt)
        require(.identity, Self.isSame(isPlanted(.identity) ? nil : again, bundle), "a bundle that is sealed opens to another")
    }

    private static func isSame(_ one: ProvisioningBundle?, _ other: ProvisioningBundle?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.kid == other.kid && one.secret.isSame(as: other.secret) && one.algorithm == other.algorithm
            && one.conversation == other.conversation && one.sequence == other.sequence && one.validity == other.validity
            && one.accessible == other.accessible
    }

    private static func parts(_ rest: [UInt8], _ circumstances: Circumstances) -> (header: [UInt8]?, jwk: [UInt8]) {
        guard circumstances.form & 1 == 0, let zero = rest.firstIndex(of: 0) else { return (nil, rest) }
        return (Array(Base64URL.encode(rest[..<zero]).utf8), Array(rest[(zero + 1)...]))
    }

    func exchange(_ input: [UInt8]) throws -> JSONValue? {
        let circumstances = Circumstances(input.first ?? 0)
        var text = Array(input.dropFirst())
        if circumstances.form > 0 {
            let (header, jwk) = Self.parts(text, circumstances)
            text = try device.bundle(jwk, header: header)
        }
        guard String(strictUTF8: text) != nil else { return nil }
        let result = accept(text, circumstances)
        var answer = [JSONMember("outcome", .string(isPlanted(.agreement) ? "planted" : result.outcome.rawValue))]
        if result.outcome == .installed, let bundle = result.bundle {
            let secret = bundle.secret.rawKey.withUnsafeBytes { Base64URL.encode($0) }
            answer.append(
                JSONMember(
                    "key",
                    .object([
                        JSONMember("sub", .string(bundle.conversation.string)), JSONMember("jwe_alg", .string(bundle.algorithm.rawValue)),
                        JSONMember("kid", .string(bundle.kid.description)), JSONMember("k", .string(secret)),
                        JSONMember("accessible", .string(bundle.accessible.rawValue)), JSONMember("seq", .integer(bundle.sequence)),
                    ])))
        }
        return Exchange.offer("text_b64", text, circumstances, .object(answer))
    }
}
