import Glibc
import KeyStore

/// Where a passphrase comes from: the terminal without echo, or a file descriptor; never an argument, never the
/// environment.
enum PassphraseInput {
    /// The bound, in bytes.
    static let largestByteCount = 1_024

    /// Asks on the terminal; for a new one twice.
    /// - Parameter hint: what to do where there is none.
    static func ask(_ prompt: String, isNew: Bool = false, hint: String) throws -> Passphrase {
        let first = try ask(once: prompt, hint)
        guard isNew else { return first }
        guard first.isSame(as: try ask(once: "the same again: ", hint)) else {
            throw CommandError(.badInput, "passphrase", "the two are not the same")
        }
        return first
    }

    /// Reads a descriptor up to a newline, which is left out, or the end; nothing past the newline is taken.
    static func read(descriptor: Int32, hint: String) throws -> Passphrase {
        guard isatty(descriptor) == 0 else { return try ask("passphrase: ", hint: hint) }
        return try line { buffer in
            var got = Glibc.read(descriptor, buffer, 1)
            while got < 0 && errno == EINTR { got = Glibc.read(descriptor, buffer, 1) }
            guard got >= 0 else {
                throw CommandError(.inputOutput, "file descriptor \(descriptor)", SystemError.text(errno))
            }
            return got == 1
        }
    }

    private static func ask(once prompt: String, _ hint: String) throws -> Passphrase {
        let terminal = try Terminal(hint: hint)
        return try terminal.withoutEcho { held in
            try terminal.ask(prompt)
            defer { try? terminal.show("\n") }
            return try line { buffer in try terminal.readByte(into: buffer, held) }
        }
    }

    /// Collects bytes up to a newline or the end, in memory that is wiped.
    private static func line(_ next: (UnsafeMutablePointer<UInt8>) throws -> Bool) throws -> Passphrase {
        var count = 0
        var failure: (any Error)?
        var bytes = [UInt8](unsafeUninitializedCapacity: largestByteCount) { buffer, initialized in
            buffer.initialize(repeating: 0)
            initialized = 0
            guard let base = buffer.baseAddress else { return }
            var byte: UInt8 = 0
            do {
                while try next(&byte), byte != UInt8(ascii: "\n") {
                    guard count < largestByteCount else { throw tooLong }
                    base[count] = byte
                    count += 1
                }
                initialized = count
            } catch {
                explicit_bzero(base, buffer.count)
                failure = error
            }
            byte = 0
        }
        if let failure { throw failure }
        guard !bytes.isEmpty else { throw CommandError(.badInput, "passphrase", "is empty") }
        return try Passphrase(consuming: &bytes)
    }

    private static let tooLong = CommandError(.badInput, "passphrase", "is longer than \(largestByteCount) bytes")
}
