internal import Glibc

/// When class keys with a timeout go, kept beside them with the same timeout: the kernel does not tell it to the second.
struct LockDeadline {
    /// What session holders call it, beside the names of class keys.
    static let name = "auto-lock"

    /// In seconds since the machine started, asleep or not.
    private let time: Int64

    init(in seconds: Int) throws(SessionError) { time = try Self.now() + Int64(seconds) }

    /// Nil for bytes that are none.
    init?(_ bytes: GuardedBytes) {
        guard bytes.count == 8 else { return nil }
        time = bytes.withBytes { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }

    var bytes: GuardedBytes {
        get throws(SessionError) {
            do {
                return try withUnsafeBytes(of: time.bigEndian) { (bytes) throws(SodiumError) in
                    try GuardedBytes(copying: bytes)
                }
            } catch { throw .memory(error) }
        }
    }

    /// At least 0.
    func secondsLeft() throws(SessionError) -> Int { Int(max(0, time - (try Self.now()))) }

    private static func now() throws(SessionError) -> Int64 {
        var time = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { throw .last("clock_gettime") }
        return Int64(time.tv_sec)
    }
}
