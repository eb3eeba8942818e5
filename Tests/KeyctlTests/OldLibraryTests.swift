import Foundation
import Testing

/// A program that meets an older library than it may: no command works on a store. The library is the real one, of which one function
/// is replaced.
@Suite struct OldLibraryTests {
    private static let liars = [
        ("OpenSSL", "OpenSSL_version", "3.0.8", "3.0.9"), ("libsodium", "sodium_version_string", "1.0.17", "1.0.18"),
        ("SQLite", "sqlite3_libversion", "3.39.4", "3.40.1"),
    ]

    @Test(arguments: liars)
    func noStoreIsOpenedOrMade(_ name: String, _ function: String, _ found: String, _ least: String) throws {
        let stores = try TestStores()
        let place = stores.place
        try place.write("const char *\(function)(void) { return \"\(found)\"; }\n", to: "liar.c")
        // The answer of OpenSSL depends on a question, which is the same for all that it is asked here.
        let compiled = try place.run("cc -shared -fPIC -o liar.so liar.c")
        try #require(compiled.status == 0, "\(compiled.errorText)")
        let preload = ["LD_PRELOAD": place.folder.appendingPathComponent("liar.so").path]
        for line in [
            "keyctl list --store sealer", "keyctl accept --store phone bundles",
            "keyctl init --store other --role sealer --key-file other.key", "keyctl migrate --store sealer",
            "keyctl backup --store sealer --backup-key-file backup.key backup",
        ] {
            let finished = try place.run(line, variables: preload)
            #expect(finished.status == 69, "\(line)")
            #expect(
                finished.errorLines.first == "keyctl: error: \(name): version \(found) is too old, \(least) is the least", "\(line)")
        }
        #expect(try place.run("ls other other.key backup backup.key").outputText == "")
        #expect(try place.run("keyctl list --store sealer").status == 0)
        // What takes keys away does so in any case.
        #expect(try place.run("keyctl lock --store phone", variables: preload).status == 0)
        #expect(try place.run("keyctl open --store phone push").status == 1)
    }
}
