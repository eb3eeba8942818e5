import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// Messages of the split profile on a device with two keys.
enum SplitMessages {
    private struct Arrived {
        let opener: Opener<SplitKeychain>
        let member: SealedMember
        let outcome: Outcome

        func open() {
            guard opener.open(sealed: member, now: 0).outcome == outcome else { fatal("the outcome is another one") }
        }
    }

    private enum Kind { case current, previous, neither, otherTag }

    static func pairs() throws -> [TimedPair] {
        func pair(_ classes: String, _ first: Kind, _ second: Kind) throws -> TimedPair {
            TimedPair("split", classes, try RandomInputs.pairs { (try arrived(first), try arrived(second)) }) { $0.open() }
        }
        return [
            try pair("opens by the current key, by the previous", .current, .previous),
            try pair("sealed by neither key, other tag", .neither, .otherTag),
        ]
    }

    private static func arrived(_ kind: Kind) throws -> Arrived {
        let keys = [SymmetricKey(size: .bits256), SymmetricKey(size: .bits256)]
        let key =
            switch kind {
            case .current, .otherTag: keys[0]
            case .previous: keys[1]
            case .neither: SymmetricKey(size: .bits256)
            }
        // ASCII of random letters: a text that is UTF-8.
        let text = try RandomInputs.message().map { UInt8(ascii: "a") + $0 % 26 }
        let nonce = try RandomInputs.bytes(12)
        let box = try AES.GCM.seal(text, using: key, nonce: AES.GCM.Nonce(data: nonce))
        let tag = kind == .otherTag ? Array(box.tag).turned(at: 0) : Array(box.tag)
        let members = [("ciphertext", Array(box.ciphertext)), ("nonce", nonce), ("tag", tag)]
        return Arrived(
            opener: Opener(
                keychain: SplitKeychain(keys: keys), replays: NoReplays(), configuration: OpenerConfiguration(allowsSplit: true)),
            member: .object(members.map { JSONMember($0, .string(Base64.encode($1))) }),
            outcome: kind == .current || kind == .previous ? .opened : .notAuthentic)
    }
}
