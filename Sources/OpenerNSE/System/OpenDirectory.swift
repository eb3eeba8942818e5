#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A directory that is held open, made where it was not there.
final class OpenDirectory: Sendable {
    let path: String
    let descriptor: Int32

    /// Those above it have to be there.
    init(_ path: String) throws(ContainerError) {
        self.path = path
        let made = mkdir(path, 0o700)
        guard made == 0 || errno == EEXIST else { throw ContainerError(path, "mkdir") }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ContainerError(path, "opendir") }
    }

    deinit { close(descriptor) }

    /// The names of what is in it, in no order.
    func names() throws(ContainerError) -> [String] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw ContainerError(path, "opendir") }
        guard let stream = fdopendir(copy) else {
            let error = ContainerError(path, "opendir")
            close(copy)
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
