import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

/// The size budget is exact: the longest plaintext that is said to fit does, and one byte more does not.
@Suite struct CapacityTests {
    private static let rooms = Array(0...3_000) + Array(4_000...4_200) + Array(5_000...5_120)

    /// The length of a compact serialization, counted from the page and not from the code.
    private func direct(_ plaintext: Int, header: Int) -> Int {
        func letters(_ bytes: Int) -> Int { bytes / 3 * 4 + [0, 2, 3][bytes % 3] }
        return header + 1 + 0 + 1 + letters(12) + 1 + letters(plaintext) + 1 + letters(16)
    }

    private func hpke(_ plaintext: Int, header: Int) -> Int {
        func letters(_ bytes: Int) -> Int { bytes / 3 * 4 + [0, 2, 3][bytes % 3] }
        return header + 1 + letters(65) + 1 + 0 + 1 + letters(plaintext + 16) + 1 + 0
    }

    @Test func direct() throws {
        let header = try Sample.directHeader()
        let wrong = Self.rooms.filter { room in
            let capacity = DirectEnvelope.capacity(room: room, encodedHeader: header)
            if direct(max(0, capacity + 1), header: header.count) <= room { return true }
            guard capacity >= 0 else { return false }
            let length = direct(capacity, header: header.count)
            return length > room
                || length != DirectEnvelope.serializedCount(plaintextByteCount: capacity, encodedHeader: header)
        }
        #expect(wrong.isEmpty)
    }

    @Test func hpke() throws {
        let header = try Sample.hpkeHeader()
        let wrong = Self.rooms.filter { room in
            let capacity = HPKEEnvelope.capacity(room: room, encodedHeader: header)
            return capacity >= 0 && hpke(capacity, header: header.count) > room
                || hpke(max(0, capacity + 1), header: header.count) <= room
        }
        #expect(wrong.isEmpty)
    }

    @Test func split() {
        func length(_ plaintext: Int) -> Int {
            #"{"ciphertext":"","nonce":"AAAAAAAAAAAAAAAA","tag":"AAAAAAAAAAAAAAAAAAAAAA=="}"#.utf8.count
                + (plaintext + 2) / 3 * 4
        }
        let wrong = Self.rooms.filter { room in
            let capacity = SplitEnvelope.capacity(room: room)
            return capacity >= 0 && length(capacity) > room || length(max(0, capacity + 1)) <= room
        }
        #expect(wrong.isEmpty)
    }

    /// What is really sealed has the length that was counted.
    @Test(arguments: [KeyAlgorithm.dir, .hpke7], [0, 1, 2, 3]) func fullPaddingFillsThePayload(
        _ algorithm: KeyAlgorithm, _ less: Int
    ) throws {
        let limit = PayloadLimit.standard - less
        let frame = try Sample.frame(limit: limit)
        let payload = try Sample.seal(try Sample.claims(body: "b"), algorithm, in: frame, padding: .full)
        #expect(payload.bytes.count <= limit)
        #expect(payload.bytes.count > limit - 2)
        #expect(payload.bytes.count + payload.bytesLeft == limit)
        let plaintext = try Sample.open(payload: payload.bytes, limit: limit)
        #expect(plaintext.last == 0x20)
        let capacity =
            algorithm == .dir
            ? DirectEnvelope.capacity(room: frame.room, encodedHeader: try Sample.directHeader())
            : HPKEEnvelope.capacity(room: frame.room, encodedHeader: try Sample.hpkeHeader())
        #expect(plaintext.count == capacity)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5]) func splitIsExact(_ more: Int) throws {
        let frame = try Sample.frame(limit: 1_000 + more, isObject: true)
        let key = SymmetricKey(data: [UInt8](repeating: 3, count: 32))
        let nonce = try AES.GCM.Nonce(data: Sample.nonce)
        let capacity = SplitEnvelope.capacity(room: frame.room)
        let fits = try frame.sealed(String(repeating: "x", count: capacity), key: key, nonce: nonce)
        #expect(fits.bytes.count <= 1_000 + more)
        #expect(fits.bytes.count + fits.bytesLeft == 1_000 + more)
        #expect(
            throws: FormatError(field: "body", reason: "\(capacity + 1) bytes where \(capacity) fit", doesNotFit: true)
        ) {
            try frame.sealed(String(repeating: "x", count: capacity + 1), key: key, nonce: nonce)
        }
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func noRoomAtAll(_ algorithm: KeyAlgorithm) throws {
        let claims = try Sample.claims(body: "b")
        for limit in [0, 50, 100, 250] {
            let error = #expect(throws: FormatError.self) {
                try Sample.seal(claims, algorithm, in: try Sample.frame(limit: limit), padding: .bucket)
            }
            #expect(error?.doesNotFit == true)
        }
        let error = #expect(throws: FormatError.self) {
            try Sample.frame(limit: 50, isObject: true).sealed(
                "", key: SymmetricKey(data: [UInt8](repeating: 3, count: 32)), nonce: AES.GCM.Nonce(data: Sample.nonce))
        }
        #expect(error?.doesNotFit == true)
    }

    @Test func aBodyThatDoesNotFitIsAnErrorWhereItMayNotBeCut() throws {
        let claims = try Sample.claims(body: String(repeating: "x", count: 4_000))
        let error = #expect(throws: FormatError.self) {
            try Sample.seal(claims, .dir, in: try Sample.frame(), overflow: .error)
        }
        #expect(error?.doesNotFit == true)
        #expect(try Sample.seal(claims, .dir, in: try Sample.frame(), overflow: .truncate).isTruncated)
    }
}
