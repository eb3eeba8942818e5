internal import Glibc

/// The number of a group's kernel key in `session-<class>.id`, by which the other members find it.
///
/// One record of 11 bytes, ten digits and a line feed, written by one call. It is a hint and no more: what it names is
/// verified with the kernel, and a number left over from before a restart names nothing of ours.
struct KeyNumberFile {
    private static let byteCount = 11
    private let file: SessionFile

    /// The file, made when it is not there.
    init(_ place: SessionPlace, _ name: String, group: UInt32) throws(SessionError) {
        file = try SessionFile.open("session-\(name).id", in: SessionDirectory(place), group: group)
    }

    /// The file; nil when it is not there.
    init?(existing place: SessionPlace, _ name: String, group: UInt32) throws(SessionError) {
        let directory = try SessionDirectory(place)
        guard let file = try SessionFile(existing: "session-\(name).id", in: directory, group: group) else {
            return nil
        }
        self.file = file
    }

    /// Keeps other writers away until this value goes.
    func lock() throws(SessionError) { try file.lock() }

    /// The same, without waiting; false when there is another writer.
    func tryLock() throws(SessionError) -> Bool { try file.tryLock() }

    /// The number; nil when there is none, or none that can be read.
    func read() throws(SessionError) -> KernelKey? {
        var record = [UInt8](repeating: 0, count: Self.byteCount)
        let count = pread(file.descriptor, &record, Self.byteCount, 0)
        guard count >= 0 else { throw .last("read") }
        guard count == Self.byteCount, record.removeLast() == UInt8(ascii: "\n"),
            let number = Int32(String(decoding: record, as: UTF8.self)), number > 0
        else { return nil }
        return KernelKey(number: number)
    }

    /// Notes the number, or that there is none.
    func write(_ key: KernelKey?) throws(SessionError) {
        let digits = String(key?.number ?? 0)
        let record = Array((String(repeating: "0", count: 10 - digits.count) + digits + "\n").utf8)
        let count = pwrite(file.descriptor, record, record.count, 0)
        guard count == record.count else { throw .system(operation: "write", code: count < 0 ? errno : EIO) }
    }
}
