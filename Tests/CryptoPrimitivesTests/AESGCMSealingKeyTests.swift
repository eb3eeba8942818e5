import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CryptoPrimitives

@Suite struct AESGCMSealingKeyTests {
    let key = SymmetricKey(size: .bits256)
    let sealingKey: AESGCMSealingKey

    init() throws {
        sealingKey = try AESGCMSealingKey(key)
    }

    @Test func sealsAsAESGCMDoes() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let nonce = random.bytes(12)
            let message = random.bytes(Int.random(in: 0...600, using: &random))
            let authenticated = random.bytes(Int.random(in: 0...100, using: &random))
            let sealed = try seal(message, nonce: nonce, authenticating: authenticated)
            #expect(sealed == (try expected(message, nonce, authenticated)), "seed \(seed)")
        }
    }

    @Test func manyThreadsSealAtOnce() throws {
        let wrong = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<500 {
                let (nonce, message) = (random.bytes(12), random.bytes(200))
                let sealed = try? seal(message, nonce: nonce, authenticating: nonce)
                if sealed == nil || sealed != (try? expected(message, nonce, nonce)) {
                    wrong.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test func sealsWhereEveryContextIsTaken() throws {
        let (nonce, message) = ([UInt8](repeating: 1, count: 12), [UInt8](repeating: 2, count: 50))
        for index in 0..<AESGCMSealingKey.slotCount {
            let answers = (0..<2).map { _ in sealingKey.slot(index).pointee.take() }
            #expect(answers == [true, false])
        }
        #expect(try seal(message, nonce: nonce, authenticating: []) == expected(message, nonce, []))
        for index in 0..<AESGCMSealingKey.slotCount {
            sealingKey.slot(index).pointee.giveBack()
        }
        #expect(try seal(message, nonce: nonce, authenticating: []) == expected(message, nonce, []))
    }

    @Test func contextsShareNoCacheLine() {
        #expect(MemoryLayout<AESGCMSealingKey.Slot>.size <= AESGCMSealingKey.Slot.byteCount)
        for index in 0..<AESGCMSealingKey.slotCount {
            #expect(UInt(bitPattern: sealingKey.slot(index)) % 128 == 0)
        }
    }

    @Test func sealsInPlace() throws {
        let (nonce, message) = ([UInt8](repeating: 1, count: 12), [UInt8](repeating: 2, count: 200))
        var buffer = message + [UInt8](repeating: 0, count: 16)
        try buffer.withUnsafeMutableBytes { buffer in
            try nonce.withUnsafeBytes { nonce in
                let plaintext = UnsafeRawBufferPointer(rebasing: buffer[..<message.count])
                try sealingKey.seal(plaintext, nonce: nonce, authenticating: .empty, into: buffer)
            }
        }
        #expect(buffer == (try expected(message, nonce, [])))
    }

    @Test(arguments: [(0, 216), (11, 216), (13, 216), (16, 216), (12, 0), (12, 200), (12, 215), (12, 217)])
    func anotherLengthIsRefusedAndTheOutputWiped(_ nonceCount: Int, _ outputCount: Int) {
        let message = [UInt8](repeating: 2, count: 200)
        var output = [UInt8](repeating: 0xAA, count: outputCount)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try seal(message, nonce: [UInt8](repeating: 1, count: nonceCount), authenticating: [], into: &output)
        }
        #expect(output == [UInt8](repeating: 0, count: outputCount))
    }

    private func expected(_ message: [UInt8], _ nonce: [UInt8], _ authenticated: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(
            message, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: authenticated)
        return [UInt8](box.ciphertext + box.tag)
    }

    private func seal(_ message: [UInt8], nonce: [UInt8], authenticating authenticated: [UInt8]) throws -> [UInt8] {
        var output = [UInt8](repeating: 0xAA, count: message.count + 16)
        try seal(message, nonce: nonce, authenticating: authenticated, into: &output)
        return output
    }

    private func seal(
        _ message: [UInt8], nonce: [UInt8], authenticating authenticated: [UInt8], into output: inout [UInt8]
    ) throws {
        try output.withUnsafeMutableBytes { output in
            try message.withUnsafeBytes { message in
                try nonce.withUnsafeBytes { nonce in
                    try authenticated.withUnsafeBytes { authenticated in
                        try sealingKey.seal(message, nonce: nonce, authenticating: authenticated, into: output)
                    }
                }
            }
        }
    }
}
