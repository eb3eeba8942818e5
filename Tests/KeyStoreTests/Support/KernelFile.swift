import Glibc

/// A file that the kernel writes as it is read, and which has no size to tell how much there is.
enum KernelFile {
    static func text(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw KernelFileFailure(path: path, code: errno) }
        defer { close(file) }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &part, part.count)
            guard count >= 0 else { throw KernelFileFailure(path: path, code: errno) }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += part[..<count]
        }
    }
}

struct KernelFileFailure: Error {
    let path: String
    let code: Int32
}
