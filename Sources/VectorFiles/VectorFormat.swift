import EnvelopeFormat

/// One format of vector files: a file of this target, and a row of ``VectorFormats``.
protocol VectorFormat: Sendable {
    /// Whether the file is of this format, whole or not; told by what is in it, never by its name.
    static func recognizes(_ file: VectorFile) -> Bool

    /// Judges every case.
    /// - Throws: what is wrong with the form of the file.
    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally
}
