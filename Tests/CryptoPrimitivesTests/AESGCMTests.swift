import CSodium
import Dispatch
import Foundation
import Testing

@testable import CryptoPrimitives

@Suite struct AESGCMTests {
    let key = SymmetricKey(size: .bits256)
    let message = [UInt8]("twenty bytes of text".utf8)
    let authenticated = [UInt8]("authenticated".utf8)

    @Test func everyFlippedBitIsRefused() throws {
        let box = try AES.GCM.seal(message, using: key, authenticating: authenticated)
        let parts = [[UInt8](box.nonce), [UInt8](box.ciphertext), [UInt8](box.tag), authenticated]
        #expect(try AES.GCM.open(box, using: key, authenticating: authenticated) == Data(message))
        for part in parts.indices {
            for bit in 0..<parts[part].count * 8 {
                var flipped = parts
                flipped[part][bit / 8] ^= 1 << (bit % 8)
                let other = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: flipped[0]), ciphertext: flipped[1], tag: flipped[2])
                #expect(throws: CryptoKitError.authenticationFailure, "part \(part), bit \(bit)") {
                    try AES.GCM.open(other, using: key, authenticating: flipped[3])
                }
            }
        }
    }

    /// OpenSSL counts in 32 bits. The pages are never touched: it is refused before anything is read.
    @Test func moreThanOpenSSLCanCountIsRefused() throws {
        let count = 1 << 31
        let pages = try #require(mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
        try #require(pages != MAP_FAILED)
        defer { munmap(pages, count) }
        let long = UnsafeRawBufferPointer(start: pages, count: count)
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.seal(message, using: key, authenticating: long) }
        let box = try AES.GCM.seal(message, using: key)
        #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.open(box, using: key, authenticating: long) }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            let context = try AESGCMContext(key: key, for: .sealing)
            let output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            try context.seal(long, nonce: UnsafeRawBufferPointer(output), authenticating: .empty, into: output)
        }
    }

    @Test(arguments: [0, 1, 8, 11, 13, 16, 32])
    func nonceOfAnotherLengthIsRefused(_ count: Int) {
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.Nonce(data: [UInt8](repeating: 1, count: count))
        }
    }

    @Test(arguments: [0, 1, 4, 12, 15, 17, 32])
    func tagOfAnotherLengthIsRefused(_ count: Int) throws {
        let box = try AES.GCM.seal(message, using: key)
        let tag = ([UInt8](box.tag) + box.tag).prefix(count)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try AES.GCM.SealedBox(nonce: box.nonce, ciphertext: box.ciphertext, tag: tag)
        }
    }

    @Test(arguments: [0, 16, 24, 31, 33, 64])
    func keyOfAnotherLengthIsRefused(_ count: Int) throws {
        let other = SymmetricKey(data: [UInt8](repeating: 1, count: count))
        let box = try AES.GCM.seal(message, using: key)
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(message, using: other) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.open(box, using: other) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try AESGCMSealingKey(other) }
    }

    @Test func combinedIsCutAndPutTogether() throws {
        let box = try AES.GCM.seal(message, using: key, authenticating: authenticated)
        let combined = try #require(box.combined)
        #expect(combined == Data(box.nonce) + box.ciphertext + box.tag)
        #expect(box.ciphertext.count == message.count && box.tag.count == 16)
        #expect(box.ciphertext.startIndex == 0 && box.tag.startIndex == 0)
        let slice = (Data([1, 2, 3]) + combined).dropFirst(3)
        let again = try AES.GCM.SealedBox(combined: slice)
        #expect(try AES.GCM.open(again, using: key, authenticating: authenticated) == Data(message))
        let empty = try AES.GCM.seal([UInt8](), using: key)
        #expect(try AES.GCM.open(.init(combined: empty.combined ?? Data()), using: key).isEmpty)
        for count in [0, 12, 27] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try AES.GCM.SealedBox(combined: combined.prefix(count))
            }
        }
    }

    @Test func bytesInSeveralRegionsAreOneMessage() throws {
        var scattered = message.prefix(7).withUnsafeBytes { DispatchData(bytes: $0) }
        scattered.append(message.dropFirst(7).withUnsafeBytes { DispatchData(bytes: $0) })
        #expect(scattered.regions.count == 2)
        let nonce = AES.GCM.Nonce()
        let box = try AES.GCM.seal(scattered, using: key, nonce: nonce, authenticating: scattered)
        let whole = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: message)
        #expect(box.combined == whole.combined)
        #expect(SHA256.hash(data: scattered) == SHA256.hash(data: message))
    }

    @Test func freshNoncesDiffer() throws {
        let boxes = try (0..<100).map { _ in try AES.GCM.seal(message, using: key) }
        #expect(Set(boxes.map { Data($0.nonce) }).count == 100)
    }

    @Test func whatDoesNotOpenIsWiped() throws {
        let context = try AESGCMContext(key: key, for: .opening)
        let box = try AES.GCM.seal(message, using: key)
        let nonce = [UInt8](box.nonce)
        var sealed = [UInt8](box.ciphertext + box.tag)
        var output = [UInt8](repeating: 0xAA, count: message.count)
        func open() throws(CryptoKitError) {
            try sealed.withBytes { (sealed) throws(CryptoKitError) in
                try nonce.withBytes { (nonce) throws(CryptoKitError) in
                    var failure: CryptoKitError?
                    output.withUnsafeMutableBytes { output in
                        do throws(CryptoKitError) {
                            try context.open(sealed, nonce: nonce, authenticating: .empty, into: output)
                        } catch {
                            failure = error
                        }
                    }
                    if let failure { throw failure }
                }
            }
        }
        try open()
        #expect(output == message)
        sealed[sealed.count - 1] ^= 1
        #expect(throws: CryptoKitError.authenticationFailure) { try open() }
        #expect(output == [UInt8](repeating: 0, count: message.count))
        output = [UInt8](repeating: 0xAA, count: message.count + 1)
        #expect(throws: CryptoKitError.incorrectParameterSize) { try open() }
        #expect(output == [UInt8](repeating: 0, count: message.count + 1))
        sealed = [UInt8](repeating: 0, count: 15)
        output = [0xAA]
        #expect(throws: CryptoKitError.incorrectParameterSize) { try open() }
        #expect(output == [0])
    }

    @Test(.enabled(if: SecondOpinion.isAvailable, "libsodium has no AES-256-GCM on this processor"))
    func libsodiumSealsTheSame() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let (key, nonce) = (random.bytes(32), random.bytes(12))
            let message = random.bytes(Int.random(in: 0...600, using: &random))
            let authenticated = random.bytes(Int.random(in: 0...100, using: &random))
            let box = try AES.GCM.seal(
                message, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce),
                authenticating: authenticated)
            let expected = SecondOpinion.seal(message, key: key, nonce: nonce, authenticating: authenticated)
            #expect([UInt8](box.ciphertext + box.tag) == expected, "seed \(seed)")
        }
    }
}

/// libsodium's AES-256-GCM.
enum SecondOpinion {
    static let isAvailable = sodium_init() >= 0 && crypto_aead_aes256gcm_is_available() == 1

    static func seal(_ message: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: message.count + 16)
        let answer = crypto_aead_aes256gcm_encrypt(
            &sealed, nil, message, UInt64(message.count), data, UInt64(data.count), nil, nonce, key)
        return answer == 0 ? sealed : []
    }
}
