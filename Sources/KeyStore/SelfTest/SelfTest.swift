import CryptoPrimitives

/// Known answers of everything that sealing and storing rest on, which run from the program alone: for ``failure`` before the
/// first seal and the first write of a process, and for `keyctl kat`.
///
/// Each says where its bytes are from: a published standard or set of vectors, or the second implementation in `Tests/Interop`.
public enum SelfTest {
    /// One known answer.
    public struct Check: Sendable {
        /// What is computed, in the standard's words.
        public let name: String
        /// Where the bytes are from.
        public let source: String
        /// Whether it is too slow to be done where nothing needs it.
        let isSlow: Bool
        private let body: @Sendable () throws -> Bool

        init(_ name: String, from source: String, isSlow: Bool = false, _ body: @escaping @Sendable () throws -> Bool) {
            self.name = name
            self.source = source
            self.isSlow = isSlow
            self.body = body
        }

        /// Computes it now. An error where there is to be an answer is no.
        public func passes() -> Bool { (try? body()) ?? false }
    }

    /// All of them, in the order in which what comes later rests on what comes before.
    public static let checks = primitives + shapes + envelopes + randomness + storage + storageShapes + passphrases

    /// The first that does not answer as it must, of all but Argon2id, which takes milliseconds and which no seal needs.
    public static func firstFailure() -> Check? { checks.first { !$0.isSlow && !$0.passes() } }

    /// Found out once for the process, by whoever asks first; others wait.
    private static let failure = firstFailure().map(error)

    /// The same of what only passphrases need.
    private static let slowFailure = checks.first { $0.isSlow && !$0.passes() }.map(error)

    private static func error(_ check: Check) -> KeyStoreError {
        error("\(check.name) is not answered as it must be: nothing is sealed or written by this process")
    }

    private static func error(_ reason: String) -> KeyStoreError {
        KeyStoreError(
            .unavailable, "self-test", reason,
            hint: "put the system's OpenSSL and libsodium in order; what fails is listed by keyctl kat")
    }

    /// To be called before anything is sealed; a transaction that writes to a store begins with it.
    /// - Throws: `unavailable` with the subject `self-test`, at every call in a process where an answer was wrong.
    public static func require() throws(KeyStoreError) {
        if let failure { throw failure }
    }

    /// To be called before a passphrase is made what opens something: what a wrong Argon2id makes of it, no other machine does.
    /// - Throws: as ``require()``.
    static func requireForPassphrase() throws(KeyStoreError) {
        try require()
        if let slowFailure { throw slowFailure }
    }

    /// What was just sealed does not open again, although the known answers were right.
    /// - Parameter what: is to be kept: "a backup".
    static func doesNotOpen(_ what: String) -> KeyStoreError {
        error("\(what) does not open again as it was sealed: nothing of it is kept")
    }

    /// The bytes of hexadecimal digits that stand in these files.
    static func bytes(_ digits: String) -> [UInt8] { Hexadecimal.decode(digits) ?? [] }

    /// The bytes of a key that everybody knows.
    static func bytes(of key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// The bytes of digits as a key.
    static func key(_ digits: String) throws(SodiumError) -> GuardedBytes {
        var bytes = bytes(digits)
        return try GuardedBytes(consuming: &bytes)
    }
}
