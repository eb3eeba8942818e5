#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file of the shared container could not be read or written: which, and by which call.
public struct ContainerError: Error, Equatable, Sendable, CustomStringConvertible {
    public let name: String
    public let operation: String
    /// The system's error number.
    public let code: Int32

    /// The call that failed just now.
    init(_ name: String, _ operation: String) { self.init(name, operation, code: errno) }

    init(_ name: String, _ operation: String, code: Int32) {
        self.name = name
        self.operation = operation
        self.code = code
    }

    static func tooLarge(_ name: String) -> ContainerError { ContainerError(name, "read", code: EFBIG) }

    /// Whether the file is there, with more bytes than whoever reads it takes: it is none of ours.
    public var isTooLarge: Bool { operation == "read" && code == EFBIG }

    /// Whether it is a folder that could not be made or opened, named by its path; else a file of the container, by its name.
    public var isOfFolder: Bool { operation == "mkdir" || operation == "opendir" }

    /// Whether something else than a file has its name.
    public var isNoFile: Bool { operation == "open" && (code == EINVAL || code == ELOOP) }

    public var description: String { "container: \(name): \(operation) failed (\(code))\(isTooLarge ? ": it is too large" : "")" }
}
