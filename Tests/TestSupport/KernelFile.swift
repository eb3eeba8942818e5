import Glibc

/// Files of `/proc`: the kernel gives some pages' worth a time, which Foundation takes for the end.
public enum KernelFile {
    /// All of its text.
    public static func text(_ path: String) throws(Unreadable) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable(path: path, code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw Unreadable(path: path, code: errno) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    public struct Unreadable: Error {
        public let path: String
        public let code: Int32
    }
}
