package import EnvelopeFormat

/// The formats there are.
package enum VectorFormats {
    /// Those of which every byte has to be strict JSON. A case of ours need not be; who reads them looks at the rest.
    private static let strict: [any VectorFormat.Type] = [
        AttachmentVectors.self, OtherOwnVectors.self, WycheproofVectors.self, HPKEVectors.self, JOSEVectors.self,
    ]
    private static let others: [any VectorFormat.Type] = [
        CaseVectors.self, GCMVectors.self, HashVectors.self, MACVectors.self, HKDFVectors.self, Argon2idVectors.self, X25519Vectors.self,
        OtherVectors.self,
    ]

    /// Judges a file by the format that it is of.
    /// - Returns: nil when it is no vector file. Of a damaged file in which cases failed, the failures and the damage.
    /// - Throws: what is wrong with the form of a vector file in which nothing failed; nothing of it counts then.
    package static func judge(_ bytes: [UInt8]) throws(FormatError) -> VectorTally? {
        let file = VectorFile(bytes)
        // The first that recognizes a file judges it.
        let isStrict: Bool
        let format: any VectorFormat.Type
        if let found = strict.first(where: { $0.recognizes(file) }) {
            (format, isStrict) = (found, true)
        } else if let found = others.first(where: { $0.recognizes(file) }) {
            (format, isStrict) = (found, false)
        } else {
            return nil
        }
        var tally = VectorTally()
        do throws(FormatError) {
            if isStrict { try file.json.check(try file.whole(), maximumDepth: 64) }
        } catch {
            tally.damaged(error)
        }
        do throws(FormatError) { try format.judge(file, into: &tally) } catch { tally.damaged(error) }
        if let damage = tally.damage, tally.failures.isEmpty { throw damage }
        return tally
    }
}
