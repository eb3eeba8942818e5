import EnvelopeFormat

/// One format of vector files: a file of this target, and a row of ``VectorFormats``.
protocol VectorFormat: Sendable {
    /// Whether the file is of this format, whole or not; told by what is in it, never by its name.
    static func recognizes(_ file: VectorFile) -> Bool

    /// Judges every case, whatever is wrong with another.
    /// - Throws: what is wrong with the form of the file, where nothing more of it can be judged.
    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError)
}
