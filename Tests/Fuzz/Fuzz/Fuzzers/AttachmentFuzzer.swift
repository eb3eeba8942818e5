import CryptoPrimitives
@testable import EnvelopeFormat

/// Sealed attachments. The first byte says what the file is: the rest of the input; the rest, sealed; or one that was sealed
/// before, of a length at which something changes. A sealed one is then edited, and opened as it comes in, in pieces.
struct AttachmentFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .outcome, .bound, .authenticity, .agreement]
    /// A stream: however long the file is, one block of it.
    private static let bound = Bound(factor: 0, constant: 4 * AttachmentLayout.blockByteCount)
    private static let lengths = [0, 1, 39, 1_000, 65_479, 65_480, 65_481, 131_000, 131_001]

    private let key = SymmetricKey(data: [UInt8](repeating: 5, count: 32))
    private let otherKey = SymmetricKey(data: [UInt8](repeating: 6, count: 32))
    private let prepared: [(plain: [UInt8], file: [UInt8])]

    init(_: Rings) throws {
        let key = key
        prepared = try Self.lengths.map { length in
            // As the plaintexts of the vectors.
            let plain = (0..<length).map { UInt8(truncatingIfNeeded: 31 &* $0 &+ $0 >> 8) }
            let file = try Self.sealed(plain, key, salt: [UInt8](repeating: 1, count: 32), prefix: [UInt8](repeating: 2, count: 7))
            return (plain, file)
        }
    }

    func run(_ input: [UInt8]) throws -> Bool {
        let (file, pieces, plain) = try question(input)
        let opened = open(file, key, pieces: pieces)
        require(
            .outcome, [nil, .malformed, .notAuthentic].contains(isPlanted(.outcome) ? .ended : opened.error), "no refusal of an attachment")
        if let plain {
            let beginning = plain.count == opened.plain.count ? plain : Array(plain.prefix(opened.plain.count))
            require(.authenticity, areSame(altered(.authenticity, opened.plain), beginning), "something is released that was not sealed")
        }
        if !pieces.isEmpty {
            let whole = open(file, key, pieces: [])
            require(
                .door, whole.error == opened.error && areSame(whole.plain, opened.plain) && !isPlanted(.door),
                "in one piece it is opened otherwise")
        }
        guard opened.error == nil else { return false }
        let again = try Self.sealed(opened.plain, key, salt: Array(file[1..<33]), prefix: Array(file[33..<40]))
        require(.identity, areSame(altered(.identity, again), file), "what was opened is sealed to another file")
        require(.refusal, open(file, isPlanted(.refusal) ? key : otherKey, pieces: []).error != nil, "it opens under another key")
        return true
    }

    /// The file, in which pieces it comes in, and what was sealed, where that is known.
    private func question(_ input: [UInt8]) throws -> (file: [UInt8], pieces: [Int], plain: [UInt8]?) {
        var reader = InputReader(input)
        let form = Int(reader.byte())
        let pieces = (0..<reader.number(below: 4)).map { _ in reader.number(below: 70_000) + 1 }
        guard form > 0 else { return (reader.remaining(), pieces, nil) }
        let edits = (0..<reader.number(below: 5)).map { _ in (reader.byte(), reader.integer(), reader.byte()) }
        var file: [UInt8]
        let plain: [UInt8]
        // The long ones are rare, as others take no time.
        if form <= 128 {
            (plain, file) = prepared[form <= 120 ? form % 4 : 4 + form % 5]
        } else {
            let salt = (0..<32).map { _ in reader.byte() }
            plain = reader.remaining()
            file = try Self.sealed(plain, key, salt: salt, prefix: [UInt8](repeating: 4, count: 7))
        }
        for (kind, place, byte) in edits { Self.edit(&file, kind, Int(UInt32(truncatingIfNeeded: place)), byte) }
        return (file, pieces, plain)
    }

    private static func edit(_ file: inout [UInt8], _ kind: UInt8, _ place: Int, _ byte: UInt8) {
        guard !file.isEmpty else { return }
        let place = place % file.count
        let block = AttachmentLayout.blockByteCount
        switch kind % 8 {
        case 0: file[place] ^= 1 << (byte % 8)
        case 1: file[place] = byte
        case 2: file.removeLast(min(file.count, place + 1))
        case 3: file.append(byte)
        case 4: file.remove(at: place)
        case 5: file.insert(byte, at: place)
        case 6 where file.count > block: file = Array(file[block...] + file[..<block])
        case 7 where file.count > block: file += file[block...]
        default: break
        }
    }

    /// - Parameter pieces: how long the pieces are in which it comes in, after the last again the first; none for the whole.
    private func open(_ file: [UInt8], _ key: SymmetricKey, pieces: [Int]) -> (plain: [UInt8], error: AttachmentError?) {
        var plain: [UInt8] = []
        plain.reserveCapacity(file.count)
        do {
            let opener = try Self.bound.measured(file.count) { () throws in
                let opener = try AttachmentOpener(key: key)
                try file.withUnsafeBytes { bytes in
                    var rest = bytes[...]
                    var next = 0
                    while !rest.isEmpty {
                        // Not too many of a long file, as they take their time.
                        let piece = rest.prefix(pieces.isEmpty ? rest.count : max(pieces[next % pieces.count], file.count / 40))
                        next += 1
                        rest = rest.dropFirst(piece.count)
                        try opener.update(UnsafeRawBufferPointer(rebasing: piece)) { Self.append($0, to: &plain) }
                    }
                }
                try opener.finish { Self.append($0, to: &plain) }
                return opener
            }
            require(.refusal, (try? opener.finish { _ in }) == nil, "it ends twice")
            return (plain, nil)
        } catch let error as AttachmentError { return (plain, error) } catch { violation("outcome: \(error)") }
    }

    private static func sealed(_ plain: [UInt8], _ key: SymmetricKey, salt: [UInt8], prefix: [UInt8]) throws -> [UInt8] {
        let sealer = try AttachmentSealer(key: key, salt: salt, prefix: prefix)
        var file: [UInt8] = []
        try plain.withUnsafeBytes { try sealer.update($0) { append($0, to: &file) } }
        try sealer.finish { append($0, to: &file) }
        return file
    }

    private static func append(_ more: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: more.bindMemory(to: UInt8.self))
    }

    func exchange(_ input: [UInt8]) throws -> JSONValue? {
        let (file, pieces, _) = try question(input)
        let opened = open(file, key, pieces: pieces)
        let names: [AttachmentError: String] = [.malformed: "malformed", .notAuthentic: "not-authentic"]
        let result = opened.error.flatMap { names[$0] } ?? Base64URL.encode(Array(SHA256.hash(data: opened.plain)))
        return .object([
            JSONMember("key", .string(key.withUnsafeBytes { Base64URL.encode($0) })), JSONMember("file_b64", .string(Base64.encode(file))),
            JSONMember("answer", .string(isPlanted(.agreement) ? "planted" : result)),
        ])
    }
}
