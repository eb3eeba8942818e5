import CryptoPrimitives
import EnvelopeFormat

/// Messages of `dir` that are not authentic, each for another reason.
enum DirectMessages {
    private struct Arrived {
        let envelope: DirectEnvelope
        let key: SymmetricKey

        func refuse() { expectNotAuthentic { () throws(Outcome) in try envelope.open(with: key) } }
    }

    private enum Flaw { case firstOfTag, lastOfTag, key, ciphertext, header }

    static func pairs() throws -> [TimedPair] {
        func pair(_ classes: String, _ first: Flaw, _ second: Flaw) throws -> TimedPair {
            TimedPair("dir", classes, try RandomInputs.pairs { (try arrived(first), try arrived(second)) }) { $0.refuse() }
        }
        return [
            try pair("other first byte of the tag, other last", .firstOfTag, .lastOfTag),
            try pair("other key, other tag", .key, .firstOfTag),
            try pair("other ciphertext, other header", .ciphertext, .header),
        ]
    }

    private static func arrived(_ flaw: Flaw) throws -> Arrived {
        let kid = try RandomInputs.conversationKey()
        let header = DirectEnvelope.encodedHeader(kid)
        let nonce = try RandomInputs.bytes(12)
        let key = SymmetricKey(size: .bits256)
        let box = try AES.GCM.seal(
            try RandomInputs.message(), using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: header)
        var ciphertext = Array(box.ciphertext)
        var tag = Array(box.tag)
        switch flaw {
        case .firstOfTag: tag = tag.turned(at: 0)
        case .lastOfTag: tag = tag.turned(at: tag.count - 1)
        case .ciphertext: ciphertext = ciphertext.turned(at: 100)
        case .key, .header: break
        }
        // The same members in another order: as long, and read as well.
        let other = Array(Base64URL.encode(#"{"enc":"A256GCM","alg":"dir","kid":"\#(kid)","typ":"wax1"}"#.utf8).utf8)
        guard
            case .dir(let envelope) = try RandomInputs.parsed(
                [[], nonce, ciphertext, tag], header: flaw == .header ? other : header)
        else { throw Outcome.malformed }
        return Arrived(envelope: envelope, key: flaw == .key ? SymmetricKey(size: .bits256) : key)
    }
}
