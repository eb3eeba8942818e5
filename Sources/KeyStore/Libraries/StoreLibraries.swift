internal import CryptoPrimitives

/// The libraries that a store works with, as they were loaded: what a program was built with says nothing of them.
enum StoreLibraries {
    /// - Throws: `.unavailable` for one that is older than its floor.
    static func check() throws(KeyStoreError) { try answer.get() }

    /// They do not change while the process runs.
    private static let answer = Result { () throws(KeyStoreError) in
        try LibraryFloor.openSSL.require(CryptoLibrary.version)
        try LibraryFloor.libsodium.require(SodiumLibrary.version)
        try LibraryFloor.sqlite.require(Connection.libraryVersion)
    }
}
