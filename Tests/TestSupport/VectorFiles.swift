public import Foundation

/// Public known-answer files, read from a folder: found and read here, judged by whoever asks.
///
/// The folder is the one that the environment variable `WAXWING_VECTORS` names, else `../shared/vectors` beside the
/// package. Where there is none, a test that needs it is skipped with ``absence`` as the reason.
public enum VectorFiles {
    /// The folder, or nil where there is none.
    public static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["WAXWING_VECTORS"].map { URL(fileURLWithPath: $0) }
        let folder = named ?? packageRoot.appendingPathComponent("../shared/vectors").standardizedFileURL
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue ? folder : nil
    }()

    /// Why a test was skipped.
    public static let absence = "no folder of public vectors: name one by WAXWING_VECTORS"

    /// The folder that holds Package.swift.
    public static let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A file of the folder, such as `wycheproof/aes_gcm_test.json`.
    public static func file(_ path: String) throws -> URL {
        guard let folder else { throw VectorFileError.absent(path) }
        return folder.appendingPathComponent(path)
    }
}

/// What is wrong with a vector file.
public enum VectorFileError: Error, Equatable {
    /// There is no folder to read the file from.
    case absent(String)
    /// The record has no such field, or not as hexadecimal or decimal digits.
    case field(String)
}

/// One record of a file of `Name = value` lines, as NIST's `.rsp` files and the HKDF texts are.
public struct VectorRecord: Sendable {
    /// What stands in brackets before the record: `[Taglen = 128]`.
    public var group: [String: String]
    /// The lines of the record. A line without a value (`FAIL`) has the empty one.
    public var fields: [String: String]

    /// The field's bytes, given as hexadecimal digits.
    public func bytes(_ name: String) throws -> [UInt8] {
        guard let value = fields[name], let bytes = [UInt8](hexadecimal: value) else {
            throw VectorFileError.field(name)
        }
        return bytes
    }

    /// The number in brackets or of the record itself.
    public func number(_ name: String) throws -> Int {
        guard let value = (group[name] ?? fields[name]).flatMap({ Int($0) }) else { throw VectorFileError.field(name) }
        return value
    }

    /// The records of a text: each begins with a line named `first` (`Count`), whatever the case of its letters.
    public static func records(in text: String, beginningWith first: String) -> [VectorRecord] {
        var records: [VectorRecord] = []
        var group: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let isGroup = line.hasPrefix("[")
            let parts = line.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let (name, value) = (parts[0], parts.count > 1 ? parts[1] : "")
            if isGroup {
                group[name] = value
            } else if name.lowercased() == first.lowercased() {
                records.append(VectorRecord(group: group, fields: [name: value]))
            } else if !records.isEmpty {
                records[records.count - 1].fields[name] = value
            }
        }
        return records
    }
}

/// A file of Project Wycheproof (`testvectors_v1`), as far as our primitives ask.
public struct WycheproofFile: Decodable, Sendable {
    public let numberOfTests: Int
    public let testGroups: [Group]

    /// Cases that share their sizes, in bits.
    public struct Group: Decodable, Sendable {
        public let ivSize: Int?
        public let keySize: Int?
        public let tagSize: Int?
        public let tests: [Case]
    }

    /// One case; which of the fields there are depends on the file. Bytes are hexadecimal digits.
    public struct Case: Decodable, Sendable {
        public let tcId: Int
        public let comment: String
        public let flags: [String]
        /// `valid`, `invalid` or `acceptable`.
        public let result: String
        public let size: Int?
        public let key, iv, aad, msg, ct, tag: String?
        public let `public`, `private`, shared: String?
        public let ikm, salt, info, okm: String?

        /// The field's bytes.
        public func bytes(_ field: KeyPath<Case, String?>) throws -> [UInt8] {
            guard let value = self[keyPath: field], let bytes = [UInt8](hexadecimal: value) else {
                throw VectorFileError.field("\(field) of case \(tcId)")
            }
            return bytes
        }
    }

    /// Reads the file.
    public init(contentsOf file: URL) throws {
        self = try JSONDecoder().decode(WycheproofFile.self, from: Data(contentsOf: file))
    }
}

/// One vector of RFC 9180's `test-vectors.json`. Bytes are hexadecimal digits.
public struct HPKEVector: Decodable, Sendable {
    public let mode, kemId, kdfId, aeadId: Int
    public let info, skRm, skEm, pkRm, enc: String
    public let psk, pskId: String?
    public let sharedSecret, keyScheduleContext, secret: String
    public let key, baseNonce: String?
    public let exporterSecret: String
    public let encryptions: [Encryption]
    public let exports: [Export]

    /// One sealed message.
    public struct Encryption: Decodable, Sendable {
        public let aad, ct, nonce, pt: String
        /// The sequence number.
        public let seq: UInt64
    }

    /// One exported secret.
    public struct Export: Decodable, Sendable {
        public let exporterContext, exportedValue: String
        public let byteCount: Int

        private enum CodingKeys: String, CodingKey {
            case exporterContext, exportedValue
            case byteCount = "L"
        }
    }

    /// Reads a file of vectors.
    public static func vectors(contentsOf file: URL) throws -> [HPKEVector] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([HPKEVector].self, from: Data(contentsOf: file))
    }
}

extension [UInt8] {
    /// The bytes of pairs of hexadecimal digits, or nil where it is something else.
    public init?(hexadecimal text: String) {
        let digits = text.utf8.map { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count % 2 == 0 else { return nil }
        self = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            append(high << 4 | low)
        }
    }
}
