import CryptoPrimitives
import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import KeyStore

/// What the README of KeyStore says of the keychain is so.
@Suite struct KeychainReadmeTests {
    private static let file = ProjectFolder.root.appendingPathComponent("Sources/KeyStore/README.md")

    /// How it begins, in a program of its own; it is compiled and not called.
    private func beginning() throws -> (Store, UnlockSecret, SymmetricKey, Int64) {
        SessionAgent.serveIfAsked(Array(CommandLine.arguments.dropFirst()))
        let store = try Store.open(directory: "phone")
        let passcode = UnlockSecret.keyFile(path: "phone.key")
        let password = SymmetricKey(data: Array("4711".utf8))
        let now = Int64(Date().timeIntervalSince1970)
        return (store, passcode, password, now)
    }

    @Test func theSnippetDoesWhatItSays() throws {
        let scene = try Scene(.device)
        let (store, now, passcode) = (scene.store, scene.now, UnlockSecret.keyFile(path: scene.keyFile))
        let password = SymmetricKey.value()
        var printed = ""
        func print(_ status: KeychainStatus) { printed = "\(status)" }

        let keychain = try Keychain(store)
        try keychain.add(service: "mail", account: "anna", value: password, accessible: .whenUnlocked, now: now)
        try store.lock(restart: false, now: now)
        do {
            _ = try keychain.get(service: "mail", account: "anna")
        } catch {
            print(error.keychainStatus)  // -25308 errSecInteractionNotAllowed
        }
        try store.unlock(passcode, now: now)
        try keychain.setAccessibility(.afterFirstUnlock, service: "mail", account: "anna", now: now)

        #expect(printed == "-25308 errSecInteractionNotAllowed")
        try store.lock(restart: false, now: now)
        #expect(try keychain.get(service: "mail", account: "anna").value == password)

        let parts = try String(contentsOf: Self.file, encoding: .utf8).components(separatedBy: "```")
        let snippet = try #require(parts.first { $0.hasPrefix("swift\n") })
        let own = try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces).replacing("@testable ", with: "")
        }
        for line in snippet.split(separator: "\n").dropFirst() {
            #expect(own.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }

    @Test func theTableOfCodesIsThatOfTheCode() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        var named: Set<KeychainStatus> = [.success]
        var kinds: Set<String> = []
        for row in text.split(separator: "\n") where row.hasPrefix("| ") && row.contains("errSec") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let status = try #require(KeychainStatus.allCases.first { "\($0)" == cells[2] }, "\(row)")
            named.insert(status)
            for name in cells[1].split(separator: ",") {
                let word = name.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                let kind = try #require(KeyStoreError.Kind.allCases.first { "\($0)" == word }, "\(row)")
                #expect(KeyStoreError(kind, "", "").keychainStatus == status)
                kinds.insert(word)
            }
        }
        #expect(named == Set(KeychainStatus.allCases) && kinds.count == KeyStoreError.Kind.allCases.count)
    }
}
