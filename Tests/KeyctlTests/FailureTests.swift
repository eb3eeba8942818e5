import EnvelopeFormat
import Foundation
import Glibc
import KeyStore
import Sealer
import Testing

@testable import keyctl

@Suite struct FailureTests {
    @Test(
        arguments: [
            (.notFound, 66), (.alreadyExists, 73), (.conflict, 65), (.locked, 77), (.authenticationFailed, 77),
            (.damaged, 65), (.permission, 77), (.busy, 75), (.full, 74), (.readOnly, 74), (.unavailable, 69),
            (.cannotCreate, 73), (.inputOutput, 74), (.badInput, 65), (.wrongRole, 78), (.schemaFromTheFuture, 78),
            (.refused, 65),
        ] as [(KeyStoreError.Kind, Int32)])
    func kindsHaveCodes(_ kind: KeyStoreError.Kind, _ status: Int32) {
        let error = KeyStoreError(kind, "conversation chat", "because", hint: "do this")
        let expected = CommandError(
            ExitStatus(rawValue: status) ?? .done, "conversation chat", "because", hint: "do this")
        #expect(CommandError(reporting: error) == expected)
        #expect(CommandError(reporting: SealingError.store(error)) == expected)
    }

    @Test func everyKindIsTested() { #expect(KeyStoreError.Kind.allCases.count == 17) }

    @Test func otherErrorsHaveCodes() {
        let format = FormatError(field: "jwk", reason: "missing")
        #expect(CommandError(reporting: format) == CommandError(.badInput, "jwk", "missing"))
        #expect(CommandError(reporting: SealingError.request(format)) == CommandError(.badInput, "jwk", "missing"))
        #expect(CommandError(reporting: SealingError.failed("x")).status == .inputOutput)
        #expect(CommandError(reporting: CancellationError()).status == .inputOutput)
        #expect(CommandError.usage("seal", "no").message == "seal: no")
        #expect(CommandError.usage(nil, "no").message == "no")
    }

    @Test(
        arguments: [
            (ENOENT, 66), (ENOTDIR, 66), (EACCES, 77), (EPERM, 77), (EISDIR, 65), (ELOOP, 65), (EEXIST, 73),
            (ENOSPC, 74), (EDQUOT, 74), (EIO, 74),
        ] as [(Int32, Int32)])
    func systemErrorsHaveCodes(_ code: Int32, _ status: Int32) {
        let error = SystemError.failure(code, path: "file")
        #expect(error.status.rawValue == status)
        #expect(error.subject == "file" && !error.reason.isEmpty)
    }

    /// What no command lets out: answers, or made into an error of the store's by who calls.
    private static let neverLeave: Set = [
        "Errors", "SessionError", "KeychainStatus", "Outcome", "ImageFailure", "DeferredRefusal",
    ]

    /// Every error that a module can throw at keyctl has a case of its own or says what it is.
    @Test func noErrorIsWithoutAName() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let reporting = try String(
            contentsOf: sources.appendingPathComponent("keyctl/Failure/CommandError+Reporting.swift"), encoding: .utf8)
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" && !file.path.contains("OpenerNSE/Apple") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /public (?:enum|struct) (\w+):([^{]*\bError\b[^{]*)\{/) {
                let name = String(match.output.1)
                count += 1
                let isNamed =
                    match.output.2.contains("CustomStringConvertible") || reporting.contains("as \(name):")
                    || Self.neverLeave.contains(name)
                #expect(isNamed, "\(name)")
            }
        }
        #expect(count > 10)
    }

    @Test func inputIsNamed() {
        #expect(throws: CommandError(.badInput, "standard input", "jwk: missing")) {
            try InputError.naming("-") { throw FormatError(field: "jwk", reason: "missing") }
        }
    }
}
