import Foundation
import Testing

@testable import CryptoPrimitives

@Suite struct HashingTests {
    let message = [UInt8]((0...255).map { UInt8($0) })
    let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))

    @Test func hashIsTheSameInPieces() {
        var hash = SHA256()
        for byte in message { hash.update(data: [byte]) }
        #expect(hash.finalize() == SHA256.hash(data: message))
        #expect(Data(hash.finalize()) == Data(SHA256.hash(data: Data(message))))
    }

    @Test func copiesOfAHashGoTheirOwnWay() {
        var first = SHA256()
        first.update(data: [1])
        var second = first
        second.update(data: [2])
        first.update(data: [3])
        #expect(first.finalize() == SHA256.hash(data: [1, 3]))
        #expect(second.finalize() == SHA256.hash(data: [1, 2]))
        let before = second.finalize()
        second.update(data: [4])
        #expect(before == SHA256.hash(data: [1, 2]))
        #expect(second.finalize() == SHA256.hash(data: [1, 2, 4]))
    }

    @Test func digestIsPrintedAndCompared() {
        let digest = SHA256.hash(data: [UInt8]())
        let hexadecimal = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(digest.description == "SHA256 digest: " + hexadecimal)
        #expect(Array(digest).count == SHA256Digest.byteCount && SHA256.byteCount == 32 && SHA256.blockByteCount == 64)
        #expect(Set([digest, SHA256.hash(data: [0]), digest]).count == 2)
    }

    @Test func hmacIsTheSameInPiecesAndInCopies() {
        var first = HMAC<SHA256>(key: key)
        first.update(data: message.prefix(100))
        var second = first
        second.update(data: [9])
        first.update(data: message.dropFirst(100))
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        #expect(first.finalize() == code && first.finalize() == code)
        #expect(second.finalize() == HMAC<SHA256>.authenticationCode(for: message.prefix(100) + [9], using: key))
        #expect(code.byteCount == 32)
    }

    @Test func everyFlippedBitOfACodeIsInvalid() {
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key))
        for bit in 0..<256 {
            var flipped = [UInt8](code)
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(!HMAC<SHA256>.isValidAuthenticationCode(flipped, authenticating: message, using: key))
        }
        #expect(!HMAC<SHA256>.isValidAuthenticationCode(Array(code).dropLast(), authenticating: message, using: key))
        #expect(!HMAC<SHA256>.isValidAuthenticationCode([UInt8](), authenticating: message, using: key))
    }

    @Test func hkdfFormsAgree() {
        typealias KDF = HKDF<SHA256>
        let empty = [UInt8]()
        let prk = KDF.extract(inputKeyMaterial: key, salt: empty)
        #expect(prk == KDF.extract(inputKeyMaterial: key, salt: [UInt8]?.none))
        #expect(prk == KDF.extract(inputKeyMaterial: key, salt: [UInt8](repeating: 0, count: 32)))
        let all = KDF.deriveKey(inputKeyMaterial: key, salt: empty, info: empty, outputByteCount: 50)
        #expect(all == KDF.deriveKey(inputKeyMaterial: key, outputByteCount: 50))
        #expect(all == KDF.deriveKey(inputKeyMaterial: key, salt: empty, outputByteCount: 50))
        #expect(all == KDF.deriveKey(inputKeyMaterial: key, info: empty, outputByteCount: 50))
        #expect(all == KDF.expand(pseudoRandomKey: prk, info: [UInt8]?.none, outputByteCount: 50))
        #expect(all != KDF.deriveKey(inputKeyMaterial: key, info: [1], outputByteCount: 50))
        #expect(all != KDF.deriveKey(inputKeyMaterial: key, salt: [1], outputByteCount: 50))
        #expect(all.bitCount == 400)
    }

    @Test(arguments: [Int.min, -1, 0, 8161, Int.max])
    func expansionOfNoBytesOrTooManyIsRefused(_ count: Int) {
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try HKDFExpansion.expand(HMACContext(key: .empty), outputByteCount: count) { _ in }
        }
    }
}
