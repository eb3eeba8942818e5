import Glibc

/// What lies in a folder, at any depth, in the order of the names.
enum FolderFiles {
    enum Entry {
        /// A regular file, or a link to one.
        case file(String)
        /// Something that is not read, and why.
        case other(String, String)
        /// A folder whose content cannot be known.
        case unreadable(CommandError)
    }

    /// Links to folders are not followed, so that a loop of them has an end.
    /// - Returns: paths that begin with the folder's own; of a file instead of a folder, itself.
    /// - Throws: when the folder itself is not there, or is something else.
    static func list(_ folder: String) throws(CommandError) -> [Entry] {
        guard let mode = mode(folder, stat) else { throw SystemError.failure(errno, path: folder) }
        switch mode {
        case S_IFREG: return [.file(folder)]
        case S_IFDIR: break
        default: throw CommandError(.badInput, folder, "is neither a folder nor a file")
        }
        var entries: [Entry] = []
        for name in try names(in: folder, &entries) { add(folder + (folder.hasSuffix("/") ? "" : "/") + name, to: &entries) }
        return entries
    }

    private static func add(_ path: String, to entries: inout [Entry]) {
        switch mode(path, lstat) {
        case S_IFREG: entries.append(.file(path))
        case S_IFDIR:
            do throws(CommandError) {
                for name in try names(in: path, &entries) { add("\(path)/\(name)", to: &entries) }
            } catch {
                entries.append(.unreadable(error))
            }
        case S_IFLNK:
            switch mode(path, stat) {
            case S_IFREG: entries.append(.file(path))
            case S_IFDIR: entries.append(.other(path, "a link to a folder, not followed"))
            case nil: entries.append(.other(path, "a link that leads nowhere"))
            default: entries.append(.other(path, "something else than a file"))
            }
        case nil: entries.append(.unreadable(SystemError.failure(errno, path: path)))
        default: entries.append(.other(path, "something else than a file"))
        }
    }

    /// What a path is; nil with `errno` where that cannot be known.
    private static func mode(_ path: String, _ call: (UnsafePointer<CChar>, UnsafeMutablePointer<stat>) -> Int32) -> mode_t? {
        var status = stat()
        return call(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The names in a folder, sorted; what is no UTF-8 cannot be said again to the system, and becomes an entry that is not read.
    private static func names(in folder: String, _ entries: inout [Entry]) throws(CommandError) -> [String] {
        guard let handle = opendir(folder) else { throw SystemError.failure(errno, path: folder) }
        defer { closedir(handle) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    (text: String(validatingCString: $0), escaped: escaped($0))
                }
            }
            guard let name = name.text else {
                entries.append(.unreadable(CommandError(.badInput, "\(folder)/\(name.escaped)", "its name is not UTF-8")))
                errno = 0
                continue
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError.failure(errno, path: folder) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A name with `\\xff` for each byte that is no ASCII character to be printed.
    private static func escaped(_ name: UnsafePointer<CChar>) -> String {
        UnsafeBufferPointer(start: name, count: strlen(name)).map { byte in
            let byte = UInt8(bitPattern: byte)
            let digits = String(byte, radix: 16)
            return (0x20..<0x7F).contains(byte) ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }
}
