import CryptoPrimitives
import EnvelopeFormat

/// Our own vectors of sealed attachments (`docs/spec/attachment.md`, section 7).
enum AttachmentVectors: VectorFormat {
    /// How many bytes a file, and a sealed one after a change, may have: a number in a file is not to eat the machine's memory.
    private static let largestByteCount = 64 << 20

    static func recognizes(_ file: VectorFile) -> Bool { file.member("format")?.text == "waxwing-attachments/1" }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "waxwing-attachments/1"
        let whole = try file.whole()
        var files: [String: JSONValue] = [:]
        var names = Set<String>()
        var bytes = 0
        for range in try file.elements("files", of: whole) {
            let entry = try file.json.value(range, maximumDepth: 4)
            let name = try entry.text("id")
            guard names.insert(name).inserted else { throw FormatError(field: "\(name), id", reason: "there twice") }
            guard let byteCount = entry["bytes"]?.plainInteger, byteCount <= largestByteCount - bytes else {
                throw FormatError(field: "\(name), bytes", reason: "missing, no whole number, or over 64 MiB in all")
            }
            bytes += Int(byteCount)
            files[name] = entry
            tally.count(name) { try sealedAndOpened(entry) }
        }
        for range in try file.elements("refusals", of: whole) {
            let refusal = try file.json.value(range, maximumDepth: 4)
            let name = try refusal.text("id")
            guard names.insert(name).inserted else { throw FormatError(field: "\(name), id", reason: "there twice") }
            tally.count(name) {
                guard let entry = files[try refusal.text("file")] else {
                    throw FormatError(field: "file", reason: "there is none of that name")
                }
                return try refused(refusal, entry)
            }
        }
        // Nonces are of segments that no file here is long enough for.
        if file.json.member("nonces", of: whole) != nil {
            tally.passOver(try file.elements("nonces", of: whole).count, "a step that cannot be asked for by itself")
        }
        guard let count = file.member("count")?.plainInteger else { throw FormatError(field: "count", reason: "missing") }
        try tally.expect(Int(count), "count")
    }

    private static func sealedAndOpened(_ entry: JSONValue) throws -> VectorOutcome {
        let sealed = try sealed(entry)
        guard Array(SHA256.hash(data: sealed)) == (try entry.base64URL("sha256")), sealed.count == (try entry.integer("sealed_bytes"))
        else {
            return .failed("sealed to other bytes")
        }
        if entry["sealed"] != nil, sealed != (try entry.base64URL("sealed")) { return .failed("sealed to other bytes") }
        let opened = try open(sealed, try entry.base64URL("key"))
        let expected = plain(try entry.integer("bytes"))
        return opened.error == nil && opened.released == expected ? .passed : .failed("not opened to the file")
    }

    private static func refused(_ refusal: JSONValue, _ entry: JSONValue) throws -> VectorOutcome {
        // What the claim says of the whole file is compared by who fetches it.
        guard refusal["sha256"] == nil else { return .notApplicable("a step that cannot be asked for by itself") }
        var sealed = try sealed(entry)
        for change in refusal["change"]?.members ?? [] { try apply(change, to: &sealed) }
        let opened = try open(sealed, try refusal["key"] == nil ? entry.base64URL("key") : refusal.base64URL("key"))
        let expected: AttachmentError?
        switch try refusal.text("expect") {
        case "malformed": expected = .malformed
        case "not-authentic": expected = .notAuthentic
        default: throw FormatError(field: "expect", reason: "unknown")
        }
        guard opened.error == expected else { return .failed(opened.error.map { "\($0)" } ?? "opened, and must be refused") }
        // What comes before the change may be released, never all of it.
        let count = try entry.integer("bytes")
        return opened.released.count < count || count == 0 ? .refused : .failed("all of it was released")
    }

    private static func apply(_ change: JSONMember, to sealed: inout [UInt8]) throws(FormatError) {
        func position(_ limit: Int) throws(FormatError) -> Int {
            guard let value = change.value.plainInteger, value < limit else {
                throw FormatError(field: change.name, reason: "no number below \(limit)")
            }
            return Int(value)
        }
        switch change.name {
        case "sealed": sealed = try JSONValue.object([change]).base64URL("sealed")
        case "cut": sealed.removeSubrange(try position(sealed.count + 1)...)
        case "flip": sealed[try position(sealed.count)] ^= 1
        case "byte":
            guard !sealed.isEmpty else { throw FormatError(field: "byte", reason: "of nothing") }
            sealed[0] = UInt8(try position(256))
        case "append": sealed += try JSONValue.object([change]).base64URL("append")
        case "blocks":
            guard case .array(let order) = change.value else { throw FormatError(field: "blocks", reason: "not an array") }
            let whole = sealed
            sealed = []
            for number in order {
                guard let index = number.plainInteger, index <= whole.count / 65_536, sealed.count <= largestByteCount else {
                    throw FormatError(field: "blocks", reason: "there is none of that number, or too much of them")
                }
                let start = Int(index) * 65_536
                guard start < whole.count else { throw FormatError(field: "blocks", reason: "there is none of that number") }
                sealed += whole[start..<min(start + 65_536, whole.count)]
            }
        default: throw FormatError(field: change.name, reason: "an unknown change")
        }
    }

    private static func sealed(_ entry: JSONValue) throws -> [UInt8] {
        let sealer = try AttachmentSealer(
            key: SymmetricKey(data: entry.base64URL("key")), salt: entry.base64URL("salt"), prefix: entry.base64URL("prefix"))
        var sealed: [UInt8] = []
        try plain(try entry.integer("bytes")).withUnsafeBytes { try sealer.update($0) { sealed += $0 } }
        try sealer.finish { sealed += $0 }
        return sealed
    }

    private static func open(_ sealed: [UInt8], _ key: [UInt8]) throws -> (released: [UInt8], error: AttachmentError?) {
        let opener = try AttachmentOpener(key: SymmetricKey(data: key))
        var released: [UInt8] = []
        do {
            try sealed.withUnsafeBytes { try opener.update($0) { released += $0 } }
            try opener.finish { released += $0 }
        } catch let error as AttachmentError {
            return (released, error)
        }
        return (released, nil)
    }

    /// Byte i is 31 * i + (i >> 8).
    private static func plain(_ byteCount: Int) -> [UInt8] { (0..<byteCount).map { UInt8(truncatingIfNeeded: 31 * $0 + $0 >> 8) } }
}
