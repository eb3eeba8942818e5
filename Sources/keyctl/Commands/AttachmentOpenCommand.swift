import CryptoPrimitives
import EnvelopeFormat
import KeyStore

/// `attachment open`: opens what `attachment seal` sealed, as a phone would.
enum AttachmentOpenCommand {
    static let row = Command(
        "attachment open", "open a sealed file by its claim image, into a new file, mode 0600",
        details: [
            "The SHA-256 of the claim is compared first, where it has one. The new file is there when all of it was found "
                + "authentic, and not before; of a file that is refused (exit code 65) nothing is left. No store is needed."
        ],
        arguments: [ArgumentSpec("SEALED", "the sealed file", completion: .files)],
        options: [
            OptionSpec(
                "image", "FILE|-", "the claim, as attachment seal prints it; - for standard input", isRequired: true,
                completion: .files),
            OptionSpec("output", "FILE", "a file that is not there yet", isRequired: true, completion: .files),
        ],
        example: "attachment open photo.sealed --image image.json --output photo.jpg", role: .none, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let path = try invocation.required("output")
        let image = try invocation.required("image")
        let sealed = invocation.arguments[0]
        let claim = try InputError.naming(image) {
            try SecretInput(reading: image).withBytes { try AttachmentClaim(parsing: $0) }
        }
        let input = try ChunkedFile(sealed)
        let output = try AttachmentOutput(path, "file", invocation)
        return try LongJob.run(invocation, "bytes") { goesOn in
            if let sha256 = claim.sha256 { try compare(sha256, input, sealed, goesOn) }
            do {
                let opener = try AttachmentOpener(key: claim.key)
                try input.read(goesOn) { try opener.update($0, output.write) }
                try opener.finish(output.write)
            } catch let error as AttachmentError {
                throw CommandError(.badInput, sealed, error.description)
            }
            if invocation.isDryRun { return output.dryRunReport }
            try output.commit()
            return output.report
        }
    }

    /// Reads all of it once, and goes back.
    private static func compare(
        _ sha256: [UInt8], _ input: ChunkedFile, _ path: String, _ goesOn: (Int) -> Bool
    ) throws {
        try input.rewind()
        var hash = SHA256()
        try input.read(goesOn) { hash.update(bufferPointer: $0) }
        guard constantTimeEqual(hash.finalize(), sha256) else {
            throw CommandError(.badInput, path, "its SHA-256 is not that of the claim")
        }
        try input.rewind()
    }
}
