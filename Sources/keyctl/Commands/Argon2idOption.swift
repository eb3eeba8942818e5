import KeyStore

/// `--argon2id PASSES,MIB`.
enum Argon2idOption {
    static let option = OptionSpec(
        "argon2id", "PASSES,MIB", "the work of a passphrase guess: 1 to 10 passes over 8 to 1024 MiB")

    /// Nil when it is not given; below the default there is a warning.
    /// - Parameter prefix: of the options that name what it is for, as of ``UnlockOption``.
    static func value(of invocation: Invocation, prefix: String = "") throws -> Argon2idParameters? {
        guard let text = invocation.value("argon2id") else { return nil }
        guard !invocation.has("\(prefix)key-file") else {
            throw invocation.usage("--argon2id is for a passphrase; a key file is not guessed")
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { WholeNumber.parse($0) }
        guard parts.count == 2, let passes = parts[0], let memory = parts[1],
            let parameters = try? Argon2idParameters(passes: Int(passes), memoryMiB: Int(memory))
        else {
            throw invocation.usage("--argon2id takes 1 to 10 passes and 8 to 1024 MiB", hint: "write --argon2id 3,256")
        }
        if passes < Argon2idParameters.standard.passes || memory < Argon2idParameters.standard.memoryMiB {
            invocation.note(
                "warning: --argon2id \(passes),\(memory) makes guessing the passphrase cheaper than the default")
        }
        return parameters
    }
}
