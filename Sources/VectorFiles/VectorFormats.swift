package import EnvelopeFormat

/// The formats there are.
package enum VectorFormats {
    /// Those of which every byte has to be strict JSON. A case of ours need not be; who reads them looks at the rest.
    private static let strict: [any VectorFormat.Type] = [
        AttachmentVectors.self, OtherOwnVectors.self, WycheproofVectors.self, HPKEVectors.self, JOSEVectors.self, OtherJSONVectors.self,
    ]
    private static let others: [any VectorFormat.Type] = [
        CaseVectors.self, GCMVectors.self, HashVectors.self, MACVectors.self, HKDFVectors.self, Argon2idVectors.self, X25519Vectors.self,
        OtherVectors.self,
    ]

    /// Whether a file of that name may not be passed over when it is none that is known: JSON, and the answers of NIST.
    package static func isNamedLikeOne(_ path: String) -> Bool {
        let name = path.lowercased()
        return [".json", ".rsp"].contains { name.hasSuffix($0) }
    }

    /// Judges a file by the format that it is of.
    /// - Returns: nil when it is no vector file. Of a damaged file in which cases failed, the failures and the damage.
    /// - Throws: what is wrong with the form of a vector file in which nothing failed; nothing of it counts then. Also of one that has
    ///   nothing in it, and of one that would be known in another encoding.
    package static func judge(_ bytes: [UInt8]) throws(FormatError) -> VectorTally? {
        let file = VectorFile(bytes)
        // A script that makes vectors has their labels in it, and is none.
        guard !bytes.starts(with: Array("#!".utf8)) else { return nil }
        guard let (format, isStrict) = recognized(file) else {
            guard let other = OtherEncoding.beginning(of: bytes), recognized(VectorFile(other)) != nil else { return nil }
            throw FormatError(field: "encoding", reason: "not UTF-8 without a byte order mark, in lines that end with a line feed")
        }
        var tally = VectorTally()
        do throws(FormatError) {
            if isStrict { try file.json.check(try file.whole(), maximumDepth: 64) }
        } catch {
            tally.damaged(error)
        }
        do throws(FormatError) { try format.judge(file, into: &tally) } catch { tally.damaged(error) }
        if tally.cases == 0 { tally.damaged(FormatError(field: "file", reason: "nothing in it")) }
        if let damage = tally.damage, tally.failures.isEmpty { throw damage }
        return tally
    }

    /// The first format that recognizes a file judges it.
    private static func recognized(_ file: VectorFile) -> (format: any VectorFormat.Type, isStrict: Bool)? {
        if let found = strict.first(where: { $0.recognizes(file) }) { return (found, true) }
        return others.first { $0.recognizes(file) }.map { ($0, false) }
    }
}
