import CryptoPrimitives
import EnvelopeFormat
import KeyStore

/// `attachment seal`: a file sealed under a key of its own, and the claim by which it is opened.
enum AttachmentSealCommand {
    static let row = Command(
        "attachment seal", "seal a file under a new key, and write the claim image for a message",
        details: [
            "The sealed file is put where the phone fetches it, and the claim, with that address, into the request of seal "
                + "(docs/request.md). Without --url it has none, and url is to be added before seal takes it. The claim holds the key, and nothing else has it: keep it out of logs. It goes into the new file "
                + "of --image, mode 0600, else to standard output, which must not be a terminal, where a key stays readable: --force "
                + "writes it there all the same.",
            "No store is needed. A file of any length is sealed; phones fetch up to "
                + "\(AttachmentLayout.largestFetchedByteCount) bytes of it.",
        ],
        arguments: [ArgumentSpec("FILE", "the file to seal", completion: .files)],
        options: [
            OptionSpec("output", "SEALED", "a file that is not there yet", isRequired: true, completion: .files),
            OptionSpec("image", "FILE", "a file that is not there yet, for the claim", completion: .files),
            OptionSpec("url", "URL", "where the sealed file will be fetched, https only"),
            OptionSpec("force", nil, "though standard output is a terminal"),
        ],
        example: "attachment seal photo.jpg --output photo.sealed --image image.json --url https://cdn.example.com/1f3a",
        role: .none, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let path = try invocation.required("output")
        let url = invocation.value("url")
        guard url.map(ImageReference.isAllowed) ?? true else {
            throw invocation.usage("--url is not https:// followed by printable ASCII")
        }
        guard invocation.arguments[0] != "-" else {
            throw invocation.usage("FILE is -: name a file, or /dev/stdin for standard input")
        }
        let image = invocation.value("image")
        guard image != path else { throw invocation.usage("--output and --image name the same file") }
        let console = invocation.console
        guard image != nil || !console.output.isTerminal || invocation.has("force") || invocation.isDryRun else {
            throw CommandError(
                .notPermitted, "standard output", "is a terminal, where a raw key stays readable",
                hint: "give --image FILE, or --force")
        }
        let input = try ChunkedFile(invocation.arguments[0])
        let claimFile = try invocation.newFile(image)
        let output = try AttachmentOutput(path, "sealed file", invocation)
        if let url { ImageWarning.warn(of: url, invocation) }
        try SelfTest.require()
        return try LongJob.run(invocation, "bytes") { goesOn in
            let key = SymmetricKey(size: .bits256)
            let sealer = try AttachmentSealer(key: key)
            var hash = SHA256()
            func write(_ bytes: UnsafeRawBufferPointer) throws {
                hash.update(bufferPointer: bytes)
                try output.write(bytes)
            }
            try input.read(goesOn) { try sealer.update($0, write) }
            try sealer.finish(write)
            if invocation.isDryRun { return output.dryRunReport }
            var claim = try AttachmentClaim(url: url, sha256: Array(hash.finalize()), key: key).json()
            defer { SecretBytes.wipe(&claim) }
            // The key first: a sealed file whose key nobody has is of no use.
            if let claimFile {
                try claim.withUnsafeBytes { try claimFile.write($0) }
                try claimFile.commit([0x0A])
            } else {
                try console.output.write(claim)
                try console.output.write([0x0A])
            }
            try output.commit()
            warn(of: output.byteCount, invocation)
            return image == nil ? .silent(.done) : output.report
        }
    }

    private static func warn(of byteCount: Int, _ invocation: Invocation) {
        let largest = AttachmentLayout.largestFetchedByteCount
        guard byteCount > largest else { return }
        invocation.note("warning: the sealed file has \(byteCount) bytes, and phones fetch no more than \(largest)")
    }
}
