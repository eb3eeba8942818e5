import CryptoPrimitives

/// Known answers of everything that sealing and storing rest on, which run from the program alone: for ``failure`` before the
/// first seal of a process, and for `keyctl kat`.
///
/// Each says where its bytes are from: a published standard or set of vectors, or the second implementation in `Tests/Interop`.
public enum SelfTest {
    /// One known answer.
    public struct Check: Sendable {
        /// What is computed, in the standard's words.
        public let name: String
        /// Where the bytes are from.
        public let source: String
        /// Whether it is too slow to be done before the first seal.
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
    public static let checks = primitives + envelopes + storage

    /// The first that does not answer as it must, of all but Argon2id, which takes milliseconds and which no seal needs.
    public static func firstFailure() -> Check? { checks.first { !$0.isSlow && !$0.passes() } }

    /// Found out once for the process, by whoever asks first; others wait.
    private static let failure: KeyStoreError? = firstFailure().map { check in
        KeyStoreError(
            .unavailable, "self-test", "\(check.name) is not answered as it must be: nothing is sealed by this process",
            hint: "put the system's OpenSSL and libsodium in order; what fails is listed by keyctl kat")
    }

    /// To be called before anything is sealed.
    /// - Throws: `unavailable` with the subject `self-test`, at every call in a process where an answer was wrong.
    public static func require() throws(KeyStoreError) {
        if let failure { throw failure }
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
