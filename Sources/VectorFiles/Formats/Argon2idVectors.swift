import EnvelopeFormat
import KeyStore

/// Texts of Argon2, those of RFC 9106 among them. libsodium derives with one lane alone; what it verifies has any number, and so
/// the answers are put to it as encoded hashes.
enum Argon2idVectors: VectorFormat {
    /// Nothing in a record says which Argon2 it is of: the answers for the two others that are published do, each for itself, those of
    /// the RFC (sections 5.1 and 5.2) and those beside them in `cryptography-vectors`.
    private static let others = [
        "512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb": "Argon2d",
        "8868f5fe0f9c138ef691cd74243cbc7eec42ad4e5a69416cbb744c0d6b751971"
            + "e22107143986dbb747899451a5f99d4a8eeb102d5852847f473c22e55a040fe7": "Argon2d",
        "c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8": "Argon2i",
        "a9a7510e6db4d588ba3414cd0e094d480d683f97b9ccb612a544fe8ef65ba8e0": "Argon2i",
        "677c326cbd6d3697a1a1433750418795c20414048ff473fa53c0f594b8998f8b"
            + "58fe36f0eb7b88ee8d9ff5246b9457f02d96dd38c8e062063faf795f877977c5": "Argon2i",
    ]
    /// In KiB, eight times what is published: a file is not to eat the machine's memory, nor its time.
    private static let largestMemory = 1 << 20
    private static let largestPasses = 1_000
    private static let largestLanes = 256

    private static let lines: Set<String> = ["length", "lanes", "iter", "memcost", "pass", "salt", "output"]
    private static let keyedLines: Set<String> = ["secret", "ad"]

    static func recognizes(_ file: VectorFile) -> Bool {
        !file.names.isDisjoint(with: ["lanes", "memcost"])
            || file.hasOnly(lines.union(keyedLines).union(["count"]), andOneOf: ["length", "iter", "pass"])
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "RFC 9106 Argon2id"
        try VectorRecord.forEach(in: file.bytes, numberedFrom: 0...1) { (record) throws(FormatError) in
            tally.count("count \(record.number)") { try judge(record) }
        }
    }

    private static func judge(_ record: VectorRecord) throws -> VectorOutcome {
        try record.checkLines(lines, orElse: keyedLines)
        let (passphrase, salt, output) = (try record.bytes("pass"), try record.bytes("salt"), try record.bytes("output"))
        let (passes, memory, lanes) = (try record.number("iter"), try record.number("memcost"), try record.number("lanes"))
        guard output.count == (try record.number("length")) else {
            throw FormatError(field: "output", reason: "not as long as length says")
        }
        if let other = record.fields["output"].flatMap({ others[$0.lowercased()] }) { return .notApplicable("\(other) is not used") }
        guard (1...largestMemory).contains(memory), (1...largestPasses).contains(passes), (1...largestLanes).contains(lanes) else {
            throw FormatError(
                field: "memcost, iter or lanes",
                reason: "more work than is accepted: at most \(largestMemory) KiB, \(largestPasses) passes and \(largestLanes) lanes")
        }
        func matches(_ output: [UInt8]) throws -> Bool {
            let encoded = "$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$\(unpadded(salt))$\(unpadded(output))"
            return try Argon2id.matches(encoded, passphrase: passphrase)
        }
        if record.has("secret") || record.has("ad") {
            guard try output.count < 16 || !matches(output) else { throw NeitherNor.ours("secret or ad", "there") }
            return .notApplicable("with a secret or associated data")
        }
        guard output.count >= 16 else { return try matches(output) ? .failed("taken") : .notApplicable("output under 128 bits") }
        var changed = output
        changed[0] ^= 1
        guard try matches(output) else { return .failed("another output") }
        return try matches(changed) ? .failed("a changed output was taken") : .passed
    }

    /// base64 as encoded hashes have it.
    private static func unpadded(_ bytes: [UInt8]) -> String { String(Base64.encode(bytes).prefix { $0 != "=" }) }
}
