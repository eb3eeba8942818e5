import Glibc

/// A failed system call on a file, told as a command error.
enum SystemError {
    /// What the C library says about an error number.
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The command error for a path that could not be read or written.
    static func failure(_ code: Int32, path: String) -> CommandError {
        switch code {
        case ENOENT, ENOTDIR: CommandError(.notFound, path, "there is no such file")
        case EACCES, EPERM: CommandError(.notPermitted, path, "not permitted to this user")
        case EISDIR: CommandError(.badInput, path, "is a directory where a file is needed")
        case ELOOP: CommandError(.badInput, path, "is a symbolic link")
        case EEXIST: CommandError(.cannotCreate, path, "is there already")
        case ENOSPC, EDQUOT, EFBIG: CommandError(.inputOutput, path, "no space is left")
        default: CommandError(.inputOutput, path, text(code))
        }
    }
}
