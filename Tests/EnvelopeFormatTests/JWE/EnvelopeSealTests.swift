import CryptoPrimitives
import EnvelopeFormat
import Foundation
import TestSupport
import Testing

/// Both algorithms there and back, and what any change to a sealed payload comes to.
@Suite struct EnvelopeSealTests {
    private func sealed(_ algorithm: KeyAlgorithm, body: String = "hello") throws -> [UInt8] {
        let payload = try Sample.seal(try Sample.claims(body: body), algorithm, in: try Sample.frame())
        return Array(try #require(try JSONValue.parse(payload.bytes)["encrypted_payload"]?.text).utf8)
    }

    private func parts(_ text: [UInt8]) throws -> [[UInt8]] {
        try text.split(separator: 0x2E, omittingEmptySubsequences: false).map { try #require(Base64URL.decode($0)) }
    }

    private func text(_ parts: [[UInt8]]) -> [UInt8] {
        Array(parts.map { Base64URL.encode($0) }.joined(separator: ".").utf8)
    }

    @Test func headersAreAlphabeticalAndBare() throws {
        let direct = try parts(try sealed(.dir))
        #expect(
            String(decoding: direct[0], as: UTF8.self)
                == #"{"alg":"dir","enc":"A256GCM","kid":"\#(try Sample.kid())","typ":"wax1"}"#)
        #expect(direct.map(\.count) == [direct[0].count, 0, 12, direct[3].count, 16])
        #expect(direct[2] == Sample.nonce)
        let hpke = try parts(try sealed(.hpke7))
        let name = Base64URL.encode(Array(try Sample.kid().description.utf8))
        #expect(
            String(decoding: hpke[0], as: UTF8.self)
                == #"{"alg":"HPKE-7","kid":"\#(DeviceThumbprint(of: Sample.device.publicKey))","psk_id":"\#(name)","typ":"wax1"}"#
        )
        #expect(hpke.map(\.count) == [hpke[0].count, 65, 0, hpke[3].count, 0])
        #expect(hpke[1][0] == 4)
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func thereAndBack(_ algorithm: KeyAlgorithm) throws {
        var source = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(30, slow: 1_000) {
            let claims = try RandomClaims.claims(using: &source)
            let frame = try Sample.frame(limit: 100_000)
            let payload = try Sample.seal(
                claims, algorithm, in: frame, padding: Padding.allCases.randomElement(using: &source) ?? .none)
            #expect(try Claims(plaintext: Sample.open(payload: payload.bytes, limit: 100_000)) == claims)
        }
    }

    /// Every bit of every part: the header's either spoil its form or its meaning, all others are not authentic.
    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func everyBit(_ algorithm: KeyAlgorithm) throws {
        let good = try parts(try sealed(algorithm))
        #expect(throws: Never.self) { try Sample.open(try SealedPayload(message: text(good))) }
        for (index, part) in good.enumerated() {
            for bit in 0..<part.count * 8 {
                var changed = good
                changed[index][bit / 8] ^= 1 << (bit % 8)
                var outcome: Outcome?
                do { _ = try Sample.open(try SealedPayload(message: text(changed))) } catch {
                    outcome = error as? Outcome
                }
                switch (index, algorithm) {
                case (0, _):
                    #expect([.malformed, .unsupported, .notAuthentic].contains(outcome), "bit \(bit) of the header")
                case (1, .hpke7) where bit < 8: #expect(outcome == .malformed, "bit \(bit) of the point")
                default: #expect(outcome == .notAuthentic, "bit \(bit) of part \(index)")
                }
            }
        }
    }

    /// A header that means the same but is written otherwise is not authentic: its bytes are.
    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func anotherSpelling(_ algorithm: KeyAlgorithm) throws {
        let good = try parts(try sealed(algorithm))
        let members = try #require(try JSONValue.parse(good[0]).members)
        let spellings = [
            good[0] + [0x20], [0x20] + good[0], JSONValue.object(members.reversed()).write(),
            Array(String(decoding: good[0], as: UTF8.self).replacingOccurrences(of: "typ", with: "\\u0074yp").utf8),
        ]
        for spelling in spellings {
            var changed = good
            changed[0] = spelling
            let payload = try SealedPayload(message: text(changed))
            #expect(throws: Outcome.notAuthentic) { try Sample.open(payload) }
        }
    }

    @Test func lengthsCutAndAdded() throws {
        for algorithm in [KeyAlgorithm.dir, .hpke7] {
            let good = try parts(try sealed(algorithm))
            for change in [-1, 1, -16, 16] {
                var changed = good
                changed[3] =
                    change < 0 ? Array(good[3].dropLast(-change)) : good[3] + [UInt8](repeating: 0, count: change)
                let payload = try SealedPayload(message: text(changed))
                #expect(throws: Outcome.notAuthentic) { try Sample.open(payload) }
            }
        }
    }

    /// An empty plaintext is authentic; that it is no claims set is another matter.
    @Test func anEmptyPlaintextOpens() throws {
        let header = try Sample.directHeader()
        let key = try Sample.secret().contentKey(in: try Sample.conversation())
        let box = try AES.GCM.seal(
            [UInt8](), using: key, nonce: try AES.GCM.Nonce(data: Sample.nonce), authenticating: header)
        let direct = header + Array("..\(Base64URL.encode(Sample.nonce))..\(Base64URL.encode(box.tag))".utf8)
        #expect(try Sample.open(try SealedPayload(message: direct)) == [])
        var sender = try Sample.sender()
        var writer = ByteWriter(capacity: 64)
        try HPKEEnvelope.append(
            UnsafeRawBufferPointer(start: nil, count: 0), encodedHeader: try Sample.hpkeHeader(), sender: &sender,
            to: &writer)
        #expect(try Sample.open(try SealedPayload(message: writer.bytes)) == [])
    }

    /// What is a point by its form and none of the curve is not authentic, as is the wrong key.
    @Test func pointsAndKeysThatAreWrong() throws {
        let good = try parts(try sealed(.hpke7))
        let points: [[UInt8]] = [
            [4] + [UInt8](repeating: 0, count: 64), [4] + [UInt8](repeating: 0xFF, count: 64),
            [4] + [UInt8](repeating: 1, count: 64),
            Array(Sample.device.publicKey.x963Representation),
        ]
        for point in points {
            var changed = good
            changed[1] = point
            let payload = try SealedPayload(message: text(changed))
            #expect(throws: Outcome.notAuthentic) { try Sample.open(payload) }
        }
        guard case .hpke7(let envelope) = try SealedPayload(message: text(good)) else { return }
        let secret = try Sample.secret().presharedKey(in: try Sample.conversation())
        #expect(throws: Outcome.notAuthentic) {
            try envelope.open(with: P256.KeyAgreement.PrivateKey(), presharedKey: secret)
        }
        #expect(throws: Outcome.notAuthentic) {
            try envelope.open(with: Sample.device, presharedKey: SymmetricKey(size: .bits256))
        }
        #expect(throws: Outcome.notAuthentic) {
            try envelope.open(with: Sample.device, presharedKey: SymmetricKey(data: [UInt8]()))
        }
        guard case .dir(let direct) = try SealedPayload(message: try sealed(.dir)) else { return }
        #expect(throws: Outcome.notAuthentic) { try direct.open(with: SymmetricKey(size: .bits256)) }
        #expect(throws: Outcome.notAuthentic) {
            try direct.open(with: SymmetricKey(data: [UInt8](repeating: 0, count: 16)))
        }
    }
}
