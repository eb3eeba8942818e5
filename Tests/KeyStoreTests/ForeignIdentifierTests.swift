import Testing

@testable import KeyStore

/// A file in which somebody wrote the identifier of another store: its session is another's, and whoever locks it is told that
/// its own keys may be there yet.
@Suite struct ForeignIdentifierTests {
    private let (scene, other): (Scene, Scene)

    init() throws { (scene, other) = (try Scene(.device), try Scene(.device)) }

    private func writing(_ identifier: String, _ body: () throws -> Void) throws {
        let database = try RawDatabase(scene.database)
        try database.run("UPDATE store SET id = '\(identifier)'")
        try body()
        try database.run("UPDATE store SET id = '\(scene.store.identifier)'")
    }

    @Test(arguments: [false, true]) func itsLockIsNotSaidToBeDone(_ restart: Bool) throws {
        try writing(other.store.identifier) {
            let store = try Store.open(directory: scene.directory)
            let error = failure { _ = try store.carryOutLock(restart: restart, now: scene.now) }
            #expect(error?.kind == .damaged && error?.subject == "row store/\(other.store.identifier)")
        }
        // The keys are there yet; who goes through the store reads none.
        #expect(try scene.store.lockState == (restart ? .beforeFirstUnlock : .locked))
    }

    @Test(arguments: [false, true]) func norWhereItCannotBeOpened(_ restart: Bool) throws {
        let obstacle = KeyStoreError(.full, scene.directory, "no space is left")
        try writing(other.store.identifier) {
            let error = failure {
                _ = try Store.lockUnopened(directory: scene.directory, restart: restart, obstacle: obstacle)
            }
            #expect(error?.kind == .damaged && error?.subject == "row store/\(other.store.identifier)")
        }
        #expect(try scene.store.lockState == (restart ? .beforeFirstUnlock : .locked))
        let state = try Store.lockUnopened(directory: scene.directory, restart: restart, obstacle: obstacle)
        #expect(state == (restart ? .beforeFirstUnlock : .locked))
        #expect(try scene.store.lockState == state)
    }
}
