import Foundation
import Testing

@testable import CryptoPrimitives

@Suite struct SecretTests {
    static let marker = [UInt8](0xB0..<0xD0)

    @Test func keysAreNotCodableHashableOrPrintable() throws {
        let device = try P256.KeyAgreement.PrivateKey(rawRepresentation: Self.marker)
        let key = SymmetricKey(data: Self.marker)
        let secrets: [Any] = [
            key, device, try device.sharedSecretFromKeyAgreement(with: device.publicKey),
            HKDF<SHA256>.extract(inputKeyMaterial: key, salt: [UInt8]()), try AESGCMSealingKey(key),
            try HPKE.Sender(recipientKey: device.publicKey, ciphersuite: .P256_SHA256_AES_GCM_256, info: Data()),
        ]
        for secret in secrets {
            let type = type(of: secret)
            #expect(!(secret is any Encodable) && !(type is any Decodable.Type), "\(type)")
            #expect(!(secret is AnyHashable) && !(secret is any Hashable), "\(type)")
            #expect(!(secret is any CustomStringConvertible), "\(type)")
            #expect(!(secret is any CustomDebugStringConvertible), "\(type)")
            #expect(!(secret is any TextOutputStreamable) && !(secret is any LosslessStringConvertible), "\(type)")
        }
    }

    @Test func noWayOfPrintingShowsBytes() throws {
        let key = SymmetricKey(data: Self.marker)
        let device = try P256.KeyAgreement.PrivateKey(rawRepresentation: Self.marker)
        #expect(showsMarker(Data(Self.marker)) && showsMarker(Self.marker), "the test itself sees nothing")
        for secret in [key, device, try AESGCMSealingKey(key), SharedSecret(storage: key.storage)] as [Any] {
            #expect(!showsMarker(secret), "\(type(of: secret))")
        }
    }

    @Test func secretsAreWipedWhenTheLastCopyGoes() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
        defer { memory.deallocate() }
        let uses: [(SecretBytes) -> Any] = [
            { SymmetricKey(storage: $0) }, { SharedSecret(storage: $0) },
            { HashedAuthenticationCode<SHA256>(storage: $0) },
        ]
        for use in uses {
            memory.copyBytes(from: Self.marker)
            var copies = [use(SecretBytes(unowned: memory))]
            copies.append(copies[0])
            copies.removeFirst()
            #expect(Array(memory) == Self.marker)
            copies.removeAll()
            #expect(memory.allSatisfy { $0 == 0 })
        }
    }

    @Test func keysCompareByTheirBytes() {
        let key = SymmetricKey(data: Self.marker)
        #expect(key == SymmetricKey(data: Data(Self.marker)))
        for bit in 0..<256 {
            var other = Self.marker
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(key != SymmetricKey(data: other))
        }
        #expect(key != SymmetricKey(data: Self.marker.dropLast()))
        #expect(key != SymmetricKey(data: Self.marker + [0]))
        #expect(SymmetricKey(data: [UInt8]()) == SymmetricKey(data: [UInt8]()))
        #expect(SymmetricKey(size: .bits256) != SymmetricKey(size: .bits256))
        #expect(SymmetricKey(size: .bits128).bitCount == 128 && SymmetricKey(size: .init(bitCount: 8)).bitCount == 8)
    }

    @Test func comparisonLooksAtEveryByte() {
        let bytes = [UInt8](0...99)
        #expect(constantTimeEqual(bytes, bytes) && constantTimeEqual([], []))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(!constantTimeEqual(bytes, other))
        }
        #expect(!constantTimeEqual(bytes, bytes.dropLast()) && !constantTimeEqual([], [0]))
    }

    @Test func wipedIsZero() {
        var bytes = Self.marker
        wipe(&bytes)
        #expect(bytes == [UInt8](repeating: 0, count: 32))
        wipe(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        let answer = withWipedBytes(32) { scratch in
            #expect(scratch.count == 32 && scratch.allSatisfy { $0 == 0 })
            return 7
        }
        #expect(answer == 7)
        #expect(throws: CryptoKitError.invalidParameter) {
            try withWipedBytes(32) { (_) throws(CryptoKitError) in throw .invalidParameter }
        }
    }

    /// Whether three bytes of the marker in a row stand in what is printed of the value, in any usual notation.
    private func showsMarker(_ value: Any) -> Bool {
        var dumped = ""
        dump(value, to: &dumped)
        var lines = ""
        for child in Mirror(reflecting: value).children {
            lines += "\(child.value) " + String(reflecting: child.value)
        }
        let texts = [dumped, "\(value)", String(reflecting: value), lines]
        let decimal = Self.marker.prefix(3).map { String($0) }
        let digits = Self.marker.prefix(3).map { String($0, radix: 16) }
        let base64 = Data(Self.marker).base64EncodedString()
        let patterns = [decimal.joined(separator: ", "), digits.joined(), "- 176\n", base64]
        return texts.contains { text in patterns.contains { text.lowercased().contains($0.lowercased()) } }
    }
}
