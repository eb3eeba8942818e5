import Glibc

/// Why the service does not begin, or does not take what it was told to read again.
public struct ServiceError: Error, Equatable, Sendable, CustomStringConvertible {
    public let subject: String
    public let reason: String

    init(_ subject: String, _ reason: String) {
        self.subject = subject
        self.reason = reason
    }

    /// With what the system says about its last error.
    static func last(_ subject: String, _ reason: String) -> ServiceError {
        let code = errno
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return ServiceError(subject, "\(reason): error \(code)") }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return ServiceError(subject, "\(reason): \(text)")
    }

    public var description: String { "\(subject): \(reason)" }
}
