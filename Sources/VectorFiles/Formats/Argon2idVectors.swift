import EnvelopeFormat
import KeyStore

/// Texts of Argon2, those of RFC 9106 among them. libsodium derives with one lane alone; what it verifies has any number, and so
/// the answers are put to it as encoded hashes.
enum Argon2idVectors: VectorFormat {
    /// Nothing in a record says which Argon2 it is of: the RFC's own answers for the two others do (sections 5.1 and 5.2).
    private static let others = [
        "512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb": "Argon2d",
        "c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8": "Argon2i",
    ]
    /// In KiB: a file is not to eat the machine's memory.
    private static let largestMemory = 1 << 20

    static func recognizes(_ file: VectorFile) -> Bool {
        file.names.isSuperset(of: ["count", "lanes", "iter", "memcost", "salt", "output"])
    }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        var records: [VectorRecord] = []
        try VectorRecord.forEach(in: file.bytes) { records.append($0) }
        let other = records.lazy.compactMap { $0.fields["output"].flatMap { others[$0.lowercased()] } }.first
        var tally = VectorTally("RFC 9106 \(other ?? "Argon2id")")
        for record in records {
            try tally.count("count \(record.number)") {
                if let other { return .notApplicable("\(other) is not used") }
                return try judge(record)
            }
        }
        return tally
    }

    private static func judge(_ record: VectorRecord) throws -> VectorOutcome {
        let (passphrase, salt, output) = (try record.bytes("pass"), try record.bytes("salt"), try record.bytes("output"))
        let (passes, memory, lanes) = (try record.number("iter"), try record.number("memcost"), try record.number("lanes"))
        guard output.count == (try record.number("length")) else {
            throw FormatError(field: "output", reason: "not as long as length says")
        }
        guard !record.has("secret"), !record.has("ad") else { return .notApplicable("with a secret or associated data") }
        guard memory <= largestMemory, passes <= 1_000, lanes <= 256 else { return .notApplicable("more work than is accepted") }
        func matches(_ output: [UInt8]) throws -> Bool {
            let encoded = "$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$\(unpadded(salt))$\(unpadded(output))"
            return try Argon2id.matches(encoded, passphrase: passphrase)
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
