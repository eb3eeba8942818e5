import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// Messages of the split profile on a device with two keys.
enum SplitMessages {
    private struct Arrived {
        let keys: [[UInt8]]
        let members: [(name: String, bytes: [UInt8])]
        let outcome: Outcome

        /// Read anew.
        func parsed() -> (opener: Opener<SplitKeychain>, member: SealedMember, outcome: Outcome) {
            let opener = Opener(
                keychain: SplitKeychain(keys: keys.map { SymmetricKey(data: $0) }), replays: NoReplays(),
                configuration: OpenerConfiguration(allowsSplit: true))
            return (opener, .object(members.map { JSONMember($0.name, .string(Base64.encode($0.bytes))) }), outcome)
        }
    }

    private enum Kind { case current, previous, neither, otherTag }

    static func pairs() throws -> [TimedPair] {
        func pair(_ classes: String, _ first: Kind, _ second: Kind) throws -> TimedPair {
            let inputs = try RandomInputs.pairs { (first: try arrived(first), second: try arrived(second)) }
            return TimedPair("split", classes, inputs) {
                $0.parsed()
            } _: { opener, member, outcome in
                guard opener.open(sealed: member, now: 0).outcome == outcome else { fatal("the outcome is another one") }
            }
        }
        return [
            try pair("opens by the current key, by the previous", .current, .previous),
            try pair("sealed by neither key, other tag", .neither, .otherTag),
        ]
    }

    private static func arrived(_ kind: Kind) throws -> Arrived {
        let keys = [try RandomInputs.bytes(32), try RandomInputs.bytes(32)]
        let key =
            switch kind {
            case .current, .otherTag: keys[0]
            case .previous: keys[1]
            case .neither: try RandomInputs.bytes(32)
            }
        // ASCII of random letters: a text that is UTF-8.
        let text = try RandomInputs.message().map { UInt8(ascii: "a") + $0 % 26 }
        let nonce = try RandomInputs.bytes(12)
        let box = try AES.GCM.seal(text, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce))
        let tag = kind == .otherTag ? Array(box.tag).turned(at: 0) : Array(box.tag)
        return Arrived(
            keys: keys, members: [("ciphertext", Array(box.ciphertext)), ("nonce", nonce), ("tag", tag)],
            outcome: kind == .current || kind == .previous ? .opened : .notAuthentic)
    }
}
