import KeyStore
import Testing

@Suite struct LibraryFloorTests {
    @Test func versionsAreInOrder() {
        let texts = ["0.9.99", "1.0.9", "1.0.18", "1.2.0-beta3", "3.0.19", "3.40.1", "10.0.0"]
        let versions = texts.compactMap { LibraryVersion($0) }
        #expect(versions.count == texts.count)
        #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
        #expect(LibraryVersion("3.0.19") == LibraryVersion(3, 0, 19) && LibraryVersion("3.0.19+quic")?.description == "3.0.19")
    }

    @Test(arguments: ["", "3", "3.0", "x.0.1", "3..1", "3.x.1", "OpenSSL 3.0.19"])
    func whatIsNoVersion(_ text: String) { #expect(LibraryVersion(text) == nil) }

    @Test(arguments: [
        (LibraryFloor.openSSL, "3.0.9", "3.0.8", "2.99.99"), (.libsodium, "1.0.18", "1.0.17", "0.7.1"),
        (.sqlite, "3.40.1", "3.40.0", "3.9.2"), (.libcurl, "7.88.1", "7.88.0", "7.9.8"),
    ])
    func olderIsRefusedByName(_ floor: LibraryFloor, _ least: String, _ before: String, _ longBefore: String) throws {
        try floor.require(least)
        try floor.require("99.0.0")
        for found in [before, longBefore] {
            #expect {
                try floor.require(found)
            } throws: { error in
                let error = error as? KeyStoreError
                return error?.kind == .unavailable && error?.subject == floor.name
                    && error?.reason == "version \(found) is too old, \(least) is the least"
            }
        }
    }

    @Test func oneThatDoesNotSayIsRefused() {
        #expect {
            try LibraryFloor.sqlite.require("unknown")
        } throws: { ($0 as? KeyStoreError)?.reason == "it does not say which version it is; 3.40.1 is the least" }
    }
}
