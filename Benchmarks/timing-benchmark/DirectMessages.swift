import CryptoPrimitives
import EnvelopeFormat

/// Messages of `dir` that are not authentic, each for another reason.
enum DirectMessages {
    private struct Arrived {
        let text: [UInt8]
        let key: [UInt8]

        /// Read anew.
        func parsed() throws -> (envelope: DirectEnvelope, key: SymmetricKey) {
            guard case .dir(let envelope) = try SealedPayload(message: text) else { throw Outcome.malformed }
            return (envelope, SymmetricKey(data: key))
        }
    }

    private enum Flaw { case firstOfTag, lastOfTag, key, ciphertext, header }

    static func pairs() throws -> [TimedPair] {
        func pair(_ classes: String, _ first: Flaw, _ second: Flaw) throws -> TimedPair {
            let inputs = try RandomInputs.pairs { (first: try arrived(first), second: try arrived(second)) }
            return TimedPair("dir", classes, inputs) {
                try $0.parsed()
            } _: { envelope, key in
                expectNotAuthentic { () throws(Outcome) in try envelope.open(with: key) }
            }
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
        let key = try RandomInputs.bytes(32)
        let box = try AES.GCM.seal(
            try RandomInputs.message(), using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce),
            authenticating: header)
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
        return Arrived(
            text: RandomInputs.text([[], nonce, ciphertext, tag], header: flaw == .header ? other : header),
            key: flaw == .key ? try RandomInputs.bytes(32) : key)
    }
}
