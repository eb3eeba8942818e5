import Foundation
import TestSupport
import Testing

/// What the documents have a reader type works as it stands there.
@Suite struct DocumentTests {
    /// The blocks between lines of three backticks, without them.
    private func blocks(of file: String) throws -> [String] {
        let text = try String(contentsOf: ProjectFolder.root.appendingPathComponent(file), encoding: .utf8)
        return text.components(separatedBy: "```").enumerated().compactMap { $0.offset % 2 == 1 ? $0.element : nil }
    }

    @Test func theSessionOfTheReadmeOpensWhatItSeals() throws {
        let session = try #require(try blocks(of: "README.md").first { $0.contains("keyctl init") })
        let workplace = try Workplace()
        let finished = try workplace.run("set -e\n" + session)
        #expect(finished.status == 0, "\(String(decoding: finished.error, as: UTF8.self))")
        #expect(String(decoding: finished.output, as: UTF8.self).hasSuffix("opened\nSee you at 6\n"))
        // And what a person sees of the next one. Under a sanitizer an extension has not memory enough.
        guard !TestAmount.isSanitized else { return }
        let simulation = try #require(try blocks(of: "README.md").first { $0.contains("keyctl simulate") })
        let seen = try workplace.run("set -e\n" + simulation)
        #expect(seen.status == 0 && seen.errorText.isEmpty, "\(seen.errorText)")
        #expect(seen.outputText.hasPrefix("before:\n  New message\nafter:\n  Bring the bread\ndelivered"), "\(seen.outputText)")
        #expect(String(decoding: try workplace.read("lock-screen.html"), as: UTF8.self).contains("Bring the bread"))
    }

    @Test func theSessionOfTheIPhonesPageShowsOneAndKeepsTheOther() throws {
        let session = try #require(try blocks(of: "docs/ios.md").first { $0.contains("keyctl simulate") })
        let finished = try Workplace().run("set -e\n" + session)
        #expect(finished.status == 0, "\(finished.errorText)")
        let shown = finished.outputText.components(separatedBy: "after:\n").dropFirst()
        #expect(shown.count == 2 && shown.first?.hasPrefix("  See you at 6\n") == true)
        #expect(shown.last?.hasPrefix("  You have a message\n") == true && finished.outputText.contains("key-locked"))
        #expect(finished.outputText.contains("opened, came ") && shown.last?.contains("  Bring a coat\n") == true)
    }

    @Test func theRequestOfItsPageIsSealed() throws {
        let request = try #require(try blocks(of: "docs/request.md").first { $0.hasPrefix("json") }).dropFirst("json".count)
        let workplace = try Workplace()
        try workplace.write(String(request), to: "request.json")
        let finished = try workplace.run(
            """
            set -e
            keyctl init --store b --role sealer --key-file b.key
            keyctl init --store p --role device --key-file p.key
            keyctl device new --store p --name P | keyctl device enroll --store b - > id
            keyctl provision --store b --conversation chat-1 --device "$(cat id)"
            keyctl seal --store b --request request.json > payload
            """)
        #expect(finished.status == 0, "\(String(decoding: finished.error, as: UTF8.self))")
        let payload = String(decoding: try workplace.read("payload"), as: UTF8.self)
        #expect(payload.contains(#""sound":"default","badge":3"#) && payload.contains("encrypted_payload"))
    }

    /// With a server of this machine in the place of the document's.
    @Test(.disabled(if: TestAmount.isSanitized, "an extension has not memory enough")) func thePictureOfTheRequestsPageIsShown() throws {
        let session = try #require(try blocks(of: "docs/request.md").first { $0.contains("keyctl attachment seal") })
        let server = try ImageServer()
        let here = session.replacingOccurrences(of: "https://cdn.example.com/1f3a --image", with: server.url("files/1f3a") + " --image")
            .replacingOccurrences(
                of: "curl --upload-file photo.sealed https://cdn.example.com/1f3a", with: "cp photo.sealed '\(server.folder)/files/1f3a'"
            )
            .replacingOccurrences(
                of: "simulate", with: "simulate --ca '\(server.authorities)' --allow-port \(server.port) --allow-own-networks")
        let picture = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGP4HyCCFTEMLQkA6IZYwQ1Qv6cAAAAASUVORK5CYII="
        let finished = try Workplace().run(
            """
            set -e
            echo \(picture) | base64 -d > photo.png
            keyctl init --store backend --role sealer --key-file b.key
            keyctl init --store phone --role device --key-file p.key
            keyctl device new --store phone --name P | keyctl device enroll --store backend - > id
            keyctl provision --store backend --conversation chat-1 --device "$(cat id)"
            keyctl bundle --store backend --device "$(cat id)" | keyctl accept --store phone
            \(here)
            """)
        #expect(finished.status == 0, "\(finished.errorText)")
        #expect(finished.outputText.contains("after:\n  Anna\n  Look\n  image: "), "\(finished.outputText)\(finished.errorText)")
    }

    @Test("links lead somewhere", arguments: try MarkdownPage.all())
    func links(_ page: MarkdownPage) throws {
        for link in page.links {
            let exists = FileManager.default.fileExists(atPath: ProjectFolder.root.appendingPathComponent(link.path).path)
            #expect(exists, "\(page.path): \(link.path)")
            guard exists, let anchor = link.anchor else { continue }
            #expect(try MarkdownPage(link.path).anchors.contains(anchor), "\(page.path): \(link.path)#\(anchor)")
        }
    }

    @Test func theCommandsOfTheAuditLogsPageShowThatItHolds() throws {
        let session = try #require(try blocks(of: "docs/spec/audit.md").first { $0.contains("keyctl audit") })
        let finished = try Workplace().run("set -e\n" + session)
        #expect(finished.status == 0, "\(finished.errorText)")
        #expect(finished.outputText.contains("\nholds: "))
    }

    /// Each of the searches for doors finds some: a word that the code no longer has would hide them.
    @Test func theSearchesOfTheReviewersPageFind() throws {
        let searches = try #require(try blocks(of: "docs/review.md").first { $0.contains("git grep -nw rawKey") })
        let lines = searches.split(separator: "\n")
        #expect(lines.count > 5)
        for line in lines {
            #expect(line.hasPrefix("git grep "))
            // With a home of its own git does not know who may own the checkout.
            let search = "cd '\(ProjectFolder.root.path)' && git -c safe.directory='*' \(line.dropFirst("git ".count))"
            let finished = try Workplace().run(search)
            #expect(finished.status == 0 && !finished.output.isEmpty, "\(line): \(finished.errorText)")
        }
    }

    @Test func whatTheReviewersPageBreaksIsFound() throws {
        let session = try #require(try blocks(of: "docs/review.md").first { $0.contains("keyctl init") })
        let finished = try Workplace().run(session)
        #expect(finished.status == 65)
        #expect(finished.outputText.contains("\nnot-authentic\nNew message\nopened\nSee you at 6\n"), "\(finished.outputText)")
        #expect(finished.errorText.contains(" is older than its anchor "), "\(finished.errorText)")
        #expect(finished.errorText.components(separatedBy: ": it is not as it was written").count == 3, "\(finished.errorText)")
    }
}
