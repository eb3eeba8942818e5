extension OptionSpec {
    static let store = OptionSpec(
        "store", "DIR", "the store's directory; otherwise the environment's WAXWING_STORE", completion: .directories)
    static let json = OptionSpec("json", nil, "print one JSON document")
    static let quiet = OptionSpec("quiet", nil, "nothing on standard error but errors")
    static let verbose = OptionSpec("verbose", nil, "more on standard error")
    static let help = OptionSpec("help", nil, "what the command does, with an example")
    static let version = OptionSpec("version", nil, "the version of this program")
    static let dryRun = OptionSpec("dry-run", nil, "change nothing; print what is before and what would be after")

    /// The options that every command takes.
    static let global: [OptionSpec] = [store, json, quiet, verbose, help, version]

    static let conversation = OptionSpec("conversation", "CID", "the conversation's name", isRequired: true)
    static let handle = OptionSpec("handle", "HANDLE", "one secret of it, by its handle as show prints it")
    static let device = OptionSpec(
        "device", "ID", "the device: its thumbprint or an unambiguous start of it", isRequired: true)
    static let sequence = OptionSpec("seq", "N", "the sequence number of the bundle", isRequired: true)
    static let passphraseDescriptor = OptionSpec(
        "passphrase-fd", "N", "read the passphrase from this file descriptor, up to a newline or the end")
}
