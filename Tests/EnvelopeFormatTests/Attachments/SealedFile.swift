import CryptoPrimitives
import Foundation
import TestSupport

@testable import EnvelopeFormat

/// A file, its key and what it is sealed, for tests that change it.
struct SealedFile {
    /// Four segments, the last of 12,345 bytes.
    static let ofFourSegments = try? SealedFile(byteCount: 65_480 + 2 * 65_520 + 12_345)

    let key: SymmetricKey
    let header: AttachmentHeader
    let plain: [UInt8]
    let sealed: [UInt8]

    init(byteCount: Int) throws {
        try self.init(
            key: SymmetricKey(size: .bits256),
            header: AttachmentHeader(salt: SystemRandomBytes.bytes(32), prefix: SystemRandomBytes.bytes(7)),
            plain: Self.plain(byteCount))
    }

    init(key: SymmetricKey, header: AttachmentHeader, plain: [UInt8]) throws {
        (self.key, self.header, self.plain) = (key, header, plain)
        sealed = try Self.seal(plain, by: AttachmentSealer(key: key, salt: header.salt, prefix: header.prefix))
    }

    /// As the vectors say: byte i is 31 * i + (i >> 8).
    static func plain(_ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: 31 * $0 + $0 >> 8) }
    }

    /// Hands it over in chunks of the sizes that `chunk` gives, all at once without.
    static func seal(_ plain: [UInt8], by sealer: AttachmentSealer, chunk: () -> Int = { .max }) throws -> [UInt8] {
        var sealed: [UInt8] = []
        try inChunks(plain, chunk) { try sealer.update($0) { sealed += $0 } }
        try sealer.finish { sealed += $0 }
        return sealed
    }

    /// What is released of the bytes, and why no more.
    static func open(
        _ sealed: [UInt8], with key: SymmetricKey, chunk: () -> Int = { .max }
    ) throws -> (released: [UInt8], error: AttachmentError?) {
        let opener = try AttachmentOpener(key: key)
        var released: [UInt8] = []
        do {
            try inChunks(sealed, chunk) { try opener.update($0) { released += $0 } }
            try opener.finish { released += $0 }
        } catch let error as AttachmentError {
            return (released, error)
        }
        return (released, nil)
    }

    /// Its pieces: 65,536 bytes each, the last what is left.
    var blocks: [[UInt8]] {
        stride(from: 0, to: sealed.count, by: 65_536).map { Array(sealed[$0..<min($0 + 65_536, sealed.count)]) }
    }

    /// What is released when all segments before this one are authentic.
    func beginning(segments count: Int) -> [UInt8] {
        count == 0 ? [] : Array(plain.prefix(65_480 + (count - 1) * 65_520))
    }

    private static func inChunks(
        _ bytes: [UInt8], _ chunk: () -> Int, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let next = rest.prefix(chunk())
                try body(UnsafeRawBufferPointer(rebasing: next))
                rest = rest.dropFirst(next.count)
            }
        }
    }
}
