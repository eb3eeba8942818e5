import BackendJSON
import EnvelopeFormat
import VectorFiles

/// Published vector files, folder by folder.
enum KatVectors {
    /// Many times the largest that is published, of the whole of which a few copies are in memory for a while.
    private static let largestByteCount = 256 << 20

    static func run(_ invocation: Invocation) throws(CommandError) -> ExitStatus {
        var job = LongJob(invocation, hint: LongJob.startsAnew, printsMeanwhile: true)
        defer { job.finish() }
        var (total, trouble): (VectorTotal, ExitStatus?) = (VectorTotal(), nil)
        // What failed elsewhere decides the exit code, and so no folder keeps another from being looked at.
        func report(_ error: CommandError) {
            invocation.console.report(error)
            trouble = trouble ?? error.status
        }
        for folder in invocation.values("vectors") {
            let before = total.vectorFiles
            let entries: [FolderFiles.Entry]
            do throws(CommandError) {
                entries = try FolderFiles.list(folder)
            } catch {
                report(error)
                continue
            }
            for (done, entry) in entries.enumerated() {
                guard job.goesOn("files", done: done, of: entries.count) else { return .tryAgain }
                let result = result(entry)
                if case .trouble(_, let error) = result { trouble = trouble ?? error.status }
                total.add(result)
                try KatCommand.print(result.lines, result.json, invocation)
            }
            if total.vectorFiles == before {
                report(CommandError(.notFound, folder, "no vector file is in it", hint: "which files are known: keyctl kat --help"))
            }
        }
        if !invocation.isJSON, total.vectorFiles > 0 { try KatCommand.print([total.line], .null, invocation) }
        return total.failed > 0 ? .no : trouble ?? .done
    }

    private static func result(_ entry: FolderFiles.Entry) -> VectorResult {
        switch entry {
        case .other(let path, let why): return .skipped(path, why)
        case .unreadable(let error): return .trouble(nil, error)
        case .file(let path):
            let bytes: [UInt8]
            do throws(CommandError) {
                bytes = try Input.readFile(path, limit: largestByteCount)
            } catch {
                return .trouble(nil, error)
            }
            do throws(FormatError) {
                if let tally = try VectorFormats.judge(bytes) { return .judged(path, tally) }
                guard VectorFormats.isNamedLikeOne(path) else { return .skipped(path, "not a vector file") }
                return .trouble("damaged", CommandError(.badInput, path, "of no form that is known, and named like a vector file"))
            } catch {
                return .trouble("damaged", CommandError(.badInput, path, error.description))
            }
        }
    }
}
