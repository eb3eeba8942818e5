/// The least version of a library that is worked with. The table is scripts/structure/floors.txt.
package struct LibraryFloor: Sendable {
    package static let openSSL = LibraryFloor("OpenSSL", LibraryVersion(3, 0, 9))
    package static let libsodium = LibraryFloor("libsodium", LibraryVersion(1, 0, 18))
    package static let sqlite = LibraryFloor("SQLite", LibraryVersion(3, 40, 1))
    package static let libcurl = LibraryFloor("libcurl", LibraryVersion(7, 88, 1))

    package let name: String
    package let least: LibraryVersion

    private init(_ name: String, _ least: LibraryVersion) {
        self.name = name
        self.least = least
    }

    /// - Parameter found: what the library that was loaded says of itself.
    /// - Throws: `.unavailable` naming the library, what was found and what is the least.
    package func require(_ found: String) throws(KeyStoreError) {
        guard let version = LibraryVersion(found) else {
            throw KeyStoreError(.unavailable, name, "it does not say which version it is; \(least) is the least", hint: Self.hint)
        }
        guard version >= least else {
            throw KeyStoreError(.unavailable, name, "version \(version) is too old, \(least) is the least", hint: Self.hint)
        }
    }

    private static let hint = "install the system's updates, and look which library the loader finds"
}
