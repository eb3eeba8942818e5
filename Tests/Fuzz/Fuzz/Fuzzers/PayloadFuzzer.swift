import EnvelopeFormat
import OpenerNSE

/// Whole payloads, offered to a device. The first byte says in which state it is. Where a zero byte stands in the rest, what is
/// behind it is the plaintext of a message that is sealed and takes the place of the first 0x01 before it.
struct PayloadFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .outcome, .bound, .agreement]
    private static let bound = Bound(factor: 64, constant: 24_576)

    private let device: FuzzDevice

    init(_ rings: Rings) throws { device = try rings.messages() }

    func run(_ input: [UInt8]) throws -> Bool {
        let (circumstances, payload) = try question(input)
        let opener = circumstances.opener(device)
        let opening = try Self.bound.measured(payload.count) { opener.open(payload: payload, now: circumstances.now) }.checked()
        guard isOne(of: 2, input) else {
            checkDoors(payload, opening, opener, circumstances)
            return opening.outcome == .opened
        }
        let padded = opener.open(payload: [0x20] + payload + [0x0A], now: circumstances.now)
        require(
            .refusal, padded.isSame(as: opening) && !isPlanted(.refusal) || payload.count + 2 > PayloadLimit.voip,
            "white space around it makes a difference")
        return opening.outcome == .opened
    }

    /// A dictionary handed over is judged as the bytes are, and what is judged early stays so.
    private func checkDoors(
        _ payload: [UInt8], _ opening: Opening, _ opener: Opener<FuzzKeychain>, _ circumstances: Circumstances
    ) {
        do {
            let member = try SealedMember(payload: payload, limit: PayloadLimit.voip)
            let other = opener.open(sealed: member, now: circumstances.now)
            require(.door, other.isSame(as: opening) && !isPlanted(.door), "a dictionary opens otherwise than a payload")
        } catch { require(.door, opening.outcome == error && !isPlanted(.door), "a payload that cannot be read is taken") }
        guard opening.outcome == .opened else { return }
        let again = circumstances.opener(device, replays: .seen).open(payload: payload, now: circumstances.now)
        require(.door, again.outcome == (opening.keyIdentifier == nil ? .opened : .duplicate), "a second time is no duplicate")
    }

    private func question(_ input: [UInt8]) throws -> (Circumstances, [UInt8]) {
        let rest = input.dropFirst()
        let circumstances = Circumstances(input.first ?? 0)
        guard let zero = rest.firstIndex(of: 0) else { return (circumstances, Array(rest)) }
        let frame = rest[..<zero]
        guard let place = frame.firstIndex(of: 1) else { return (circumstances, Array(frame)) }
        let plaintext = Array(rest[(zero + 1)...])
        let sealed = try circumstances.form & 1 == 0 ? device.direct(plaintext) : device.toDevice(plaintext)
        return (circumstances, frame[..<place] + sealed + frame[(place + 1)...])
    }

    func exchange(_ input: [UInt8]) throws -> JSONValue? {
        let (circumstances, payload) = try question(input)
        let opening = circumstances.opener(device).open(payload: payload, now: circumstances.now)
        return Exchange.offer("payload_b64", payload, circumstances, opening.answer)
    }
}
