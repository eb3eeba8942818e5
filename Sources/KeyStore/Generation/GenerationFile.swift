internal import Glibc

/// The file behind ``Generation``: 4,096 bytes, zero but for the first three words.
enum GenerationFile {
    /// Makes it, with its final mode, or lengthens one that was cut.
    static func make(
        in directory: Descriptor, _ path: AbsolutePath, _ rules: AccessRules
    ) throws(KeyStoreError) {
        let name = GroupDirectory.generationName
        let whole = path.appending(name).string
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let file: Descriptor
        if try directory.status(at: name, whole) == nil {
            file = try Descriptor(
                openat(directory.number, name, flags | O_CREAT | O_EXCL, 0o600), whole, "cannot be made")
            guard fchmod(file.number, rules.fileMode) == 0 else {
                throw KeyStoreError(errno: errno, whole, "cannot be made")
            }
        } else {
            file = try Descriptor(openat(directory.number, name, flags), whole, "cannot be opened")
        }
        // With room on the disk, not as a hole: else the first store to the mapping would be what finds the disk full.
        let code = posix_fallocate(file.number, 0, off_t(MappedPage.byteCount))
        guard code == 0 else { throw KeyStoreError(errno: code, whole, "cannot be lengthened") }
    }
}
