package import EnvelopeFormat

/// The formats there are.
package enum VectorFormats {
    /// The first that recognizes a file judges it.
    private static let all: [any VectorFormat.Type] = [
        CaseVectors.self, AttachmentVectors.self, OtherOwnVectors.self, WycheproofVectors.self, HPKEVectors.self, JOSEVectors.self,
        GCMVectors.self, HashVectors.self, MACVectors.self, HKDFVectors.self, Argon2idVectors.self, X25519Vectors.self, OtherVectors.self,
    ]

    /// Judges a file by the format that it is of.
    /// - Returns: nil when it is no vector file.
    /// - Throws: what is wrong with the form of a vector file; nothing of it counts then.
    package static func judge(_ bytes: [UInt8]) throws(FormatError) -> VectorTally? {
        let file = VectorFile(bytes)
        guard let format = all.first(where: { $0.recognizes(file) }) else { return nil }
        return try format.judge(file)
    }
}
