import Foundation
import Testing

/// `rotate --all` says what it did not rotate.
@Suite struct PassedOverTests {
    @Test func aRekeyThatDidNotReachAllIsNoSuccess() throws {
        let stores = try TestStores()
        for name in ["waits", "held", "over"] {
            _ = try stores.ends("keyctl provision --store sealer --conversation \(name) --device $device", 0)
        }
        _ = try stores.ends("keyctl rotate --store sealer --conversation waits --rekey", 0)
        _ = try stores.ends("keyctl suspend --store sealer --conversation held", 0)
        _ = try stores.ends("keyctl retire --store sealer --conversation over --force", 0)
        let ratchet = try stores.ends("keyctl rotate --store sealer --all --json", 0)
        #expect(ratchet.outputText.contains(#""passed_over":{"retired":1,"suspended":1,"split":1}}"#))
        #expect(ratchet.errorText == "keyctl: passed over: 1 retired, 1 suspended, 1 split\n")
        let rekey = try stores.ends("keyctl rotate --store sealer --all --rekey --verbose", 65)
        #expect(rekey.errorText.contains("keyctl: passed over waits: with a rekey waiting already\n"))
        #expect(rekey.errorText.contains("error: not rekeyed: 1 suspended, 1 with a rekey waiting already\n"))
        let restart = try stores.ends("keyctl rotate --store sealer --all --rekey --restart", 65)
        #expect(restart.errorText.contains("error: not rekeyed: 1 suspended\n"))
        _ = try stores.ends("keyctl resume --store sealer --conversation held", 0)
        _ = try stores.ends("keyctl rotate --store sealer --all --rekey --restart", 0)
    }
}
