import EnvelopeFormat
import Glibc

/// A file of certificate authorities in PEM, as TLS libraries take it: looked at before it is given to one, which would say no more
/// than that a connection failed.
enum AuthoritiesFile {
    private static let first = "-----BEGIN CERTIFICATE-----"
    private static let last = "-----END CERTIFICATE-----"
    /// As many bytes as a system's own file has, ten times over.
    private static let largestByteCount = 4 << 20

    /// - Throws: `notFound`, `notPermitted`, or `badInput` for what is no file, is too large or has no certificate in it.
    static func check(_ path: String) throws(CommandError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError.failure(errno, path: path) }
        // It is read more than once, and a device may have no end.
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandError(.badInput, path, "is not a regular file") }
        let text = String(decoding: try Input.read(path, limit: largestByteCount), as: UTF8.self)
        guard hasCertificate(text) else {
            throw CommandError(.badInput, path, "has no certificate in PEM", hint: "it is a file with the lines \(first)")
        }
    }

    private static func hasCertificate(_ text: String) -> Bool {
        guard let start = text.firstRange(of: first), let end = text[start.upperBound...].firstRange(of: last) else { return false }
        let lines = text[start.upperBound..<end.lowerBound].split(whereSeparator: \.isWhitespace).joined()
        // DER, which begins with a sequence.
        return Base64.decode(lines)?.first == 0x30
    }
}
