import CryptoPrimitives
import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import KeyStore

/// `Tests/Vectors/backup.json`, made by another implementation (docs/spec/backup.md, section 8).
@Suite struct BackupVectorTests {
    private struct Vectors: Decodable {
        enum Piece: Decodable {
            case bytes([UInt8])
            case zeros(Int)

            private enum CodingKeys: CodingKey { case zeros }

            init(from decoder: any Decoder) throws {
                if let members = try? decoder.container(keyedBy: CodingKeys.self) {
                    self = .zeros(try members.decode(Int.self, forKey: .zeros))
                } else {
                    let text = try decoder.singleValueContainer().decode(String.self)
                    self = .bytes(try #require(Base64URL.decode(text)))
                }
            }

            var bytes: [UInt8] {
                switch self {
                case .bytes(let bytes): bytes
                case .zeros(let count): [UInt8](repeating: 0, count: count)
                }
            }
        }

        struct File: Decodable {
            let id, stream_key, header, sha256: String
            let key_file, passphrase: String?
            let plain: [Piece]
            let bytes, rows: Int
        }

        struct Case: Decodable {
            struct Change: Decodable {
                let cut, flip, at: Int?
                let byte: UInt8?
                let append, whole: String?
                let blocks: [Int]?
            }

            let id, rule, about, file, expect: String
            let key_file, passphrase: String?
            let change: Change?
        }

        let format: String
        let count: Int
        let files: [File]
        let cases: [Case]
    }

    private static let blockByteCount = BackupWriter.chunkByteCount + SecretStream.overheadByteCount

    private let vectors: Vectors
    private let folder: Folder

    /// Gone with the suite.
    private final class Folder {
        let path: String
        init() throws { path = try Scene.temporaryDirectory() }
        deinit { Scene.remove(path) }
    }

    init() throws {
        let url = ProjectFolder.root.appendingPathComponent("Tests/Vectors/backup.json")
        vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
        try #require(vectors.format == "waxwing-backups/1")
        try #require(vectors.count == vectors.files.count + vectors.cases.count && vectors.cases.count > 50)
        folder = try Folder()
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    /// The file as it is to be made: by the stream of a reader, which stands where a writer's stands that drew this header.
    private func whole(_ file: Vectors.File) throws -> [UInt8] {
        let header = try bytes(file.header)
        var key = try bytes(file.stream_key)
        let stream = try SecretStream.opening(try GuardedBytes(consuming: &key), header: Array(header[74...]))
        let plain = file.plain.flatMap(\.bytes)
        var whole = header
        for start in stride(from: 0, to: plain.count, by: BackupWriter.chunkByteCount) {
            let end = min(start + BackupWriter.chunkByteCount, plain.count)
            whole += try plain[start..<end].withUnsafeBytes {
                try stream.seal($0, associatedData: header, isLast: end == plain.count)
            }
        }
        return whole
    }

    private func read(_ whole: [UInt8], keyFile: String?, passphrase: String?) throws -> BackupSummary {
        let (path, keyPath) = (folder.path + "/backup", folder.path + "/key")
        try Data(whole).write(to: URL(filePath: path))
        if let passphrase { return try Store.backupContents(of: path, secret: .passphrase(.of(passphrase))) }
        let key = try #require(keyFile)
        try Data(bytes(key)).write(to: URL(filePath: keyPath))
        #expect(chmod(keyPath, 0o600) == 0)
        return try Store.backupContents(of: path, secret: .keyFile(path: keyPath))
    }

    @Test func everyFileIsMadeAndReadSo() throws {
        for file in vectors.files {
            let whole = try whole(file)
            let digest = try bytes(file.sha256)
            #expect(whole.count == file.bytes && Array(SHA256.hash(data: whole)) == digest, "\(file.id)")
            let summary = try read(whole, keyFile: file.key_file, passphrase: file.passphrase)
            #expect(summary.rowCount == file.rows, "\(file.id)")
        }
    }

    @Test func everyChangeIsRefusedSo() throws {
        let files = try Dictionary(uniqueKeysWithValues: vectors.files.map { ($0.id, (file: $0, whole: try whole($0))) })
        for vector in vectors.cases {
            let made = try #require(files[vector.file])
            let whole = try changed(made.whole, vector.change)
            let isOwn = vector.key_file == nil && vector.passphrase == nil
            let error = failure {
                _ = try read(
                    whole, keyFile: isOwn ? made.file.key_file : vector.key_file,
                    passphrase: isOwn ? made.file.passphrase : vector.passphrase)
            }
            let outcome = error.map { AtRestOutcome($0).outcome }
            #expect(outcome == vector.expect, "\(vector.id) \(vector.rule): \(vector.about): \(String(describing: error))")
        }
    }

    private func changed(_ whole: [UInt8], _ change: Vectors.Case.Change?) throws -> [UInt8] {
        guard let change else { return whole }
        var changed = whole
        if let text = change.whole { changed = try bytes(text) }
        if let position = change.cut { changed.removeSubrange(position...) }
        if let text = change.append { changed += try bytes(text) }
        if let position = change.flip { changed[position] ^= 1 }
        if let position = change.at, let byte = change.byte { changed[position] = byte }
        if let order = change.blocks {
            let starts = Array(stride(from: BackupHeader.byteCount, to: whole.count, by: Self.blockByteCount))
            changed =
                whole[..<BackupHeader.byteCount] + order.flatMap { whole[starts[$0]..<min(starts[$0] + Self.blockByteCount, whole.count)] }
        }
        return changed
    }
}
