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
        let place = try TestStores().place
        // The answer of OpenSSL depends on a question, which is the same for all that it is asked here.
        let preload = try liar("const char *\(function)(void) { return \"\(found)\"; }", in: place)
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

    @Test func nothingIsSimulated() throws {
        let place = try TestStores().place
        let preload = try liar(
            """
            #include <curl/curl.h>
            curl_version_info_data *curl_version_info(CURLversion asked) {
                static curl_version_info_data answer = {.version = "7.88.0"};
                return &answer;
            }
            """, in: place)
        let finished = try place.run("keyctl simulate --store phone push", variables: preload)
        #expect(finished.status == 69)
        #expect(finished.errorLines.first == "keyctl: error: libcurl: version 7.88.0 is too old, 7.88.1 is the least")
    }

    /// The variables under which programs meet a function as it is written here.
    private func liar(_ source: String, in place: Workplace) throws -> [String: String] {
        try place.write(source + "\n", to: "liar.c")
        let compiled = try place.run("cc -shared -fPIC -o liar.so liar.c")
        try #require(compiled.status == 0, "\(compiled.errorText)")
        return ["LD_PRELOAD": place.folder.appendingPathComponent("liar.so").path]
    }
}
