import EnvelopeFormat
import Glibc

/// The file of tokens, as it is changed.
public enum TokenFile {
    /// Adds a token, whole or not at all; the file is made where it is not there.
    /// - Returns: the token, which is told this once: the file has its digest.
    /// - Throws: ``ServiceError``, or ``FormatError`` for a name or scope that is none.
    public static func add(to path: String, name: String, scopes: [String]) throws -> String {
        let name = try TokenList.name(name)
        let scopes = try TokenList.scopes(.array(scopes.map { .string($0) }), of: "--scope")
        var status = stat()
        let isThere = lstat(path, &status) == 0
        let list =
            isThere ? try ConfigurationFile.parse(path) { (bytes) throws(FormatError) in try TokenList(parsing: bytes) } : TokenList()
        let (token, text) = try ServiceToken.make(name: name, scopes: scopes)
        try replace(path, TokenList(list.tokens + [token]), like: isThere ? status : nil)
        return text
    }

    /// A new file beside it takes its place.
    private static func replace(_ path: String, _ list: TokenList, like former: stat?) throws(ServiceError) {
        let bytes = list.json().write() + [0x0A]
        let new = "\(path).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, former.map { $0.st_mode & 0o777 } ?? 0o600)
        guard descriptor >= 0 else { throw .last(new, "it cannot be made") }
        defer { close(descriptor) }
        if let former {
            guard fchown(descriptor, former.st_uid, former.st_gid) == 0 || former.st_uid == geteuid() else {
                throw .last(new, "it cannot be given to the file's owner")
            }
        }
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw .last(new, "it cannot be written") }
        guard fsync(descriptor) == 0, rename(new, path) == 0 else { throw .last(path, "it cannot be replaced") }
    }
}
