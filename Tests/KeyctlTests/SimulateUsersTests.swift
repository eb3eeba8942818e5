import Foundation
import TestSupport
import Testing

/// App and extension as two users of the unix group that is the access group: the kernel says who is in it, and a stranger is told.
@Suite(.enabled(if: OtherUsers.canRunTheProgram && !TestAmount.isSanitized, "needs other users, who may run the program"))
struct SimulateUsersTests {
    @Test func aMemberSeesTheMessageAndAStrangerIsNamedWhatHeMayNot() throws {
        let place = try OtherUsers.place()
        func ends(_ line: String, _ status: Int32) throws -> Finished {
            let finished = try place.run(line)
            #expect(finished.status == status, "\(line): \(finished.errorText)")
            return finished
        }
        for line in [
            "keyctl init --store sealer --role sealer --key-file sealer.key",
            "keyctl init --store phone --role device --key-file phone.key --unix-group daemon",
            "keyctl device new --store phone --name P | keyctl device enroll --store sealer - > id",
            "keyctl provision --store sealer --conversation chat --device $(cat id)",
            "keyctl bundle --store sealer --device $(cat id) | keyctl accept --store phone",
            "echo '{\"conversation\":\"chat\",\"body\":\"six\"}' | keyctl seal --store sealer --request - > push",
            "chmod 644 push && mkdir -m 777 shared",
        ] { _ = try ends(line, 0) }
        let seen = try ends("\(OtherUsers.member) keyctl simulate --store phone --container shared/of-the-app push", 0)
        #expect(seen.outputText.hasPrefix("before:\n  New message\nafter:\n  six\n") && seen.errorText.isEmpty)
        let refused = try ends("\(OtherUsers.stranger) keyctl simulate --store phone --container shared/other push", 77)
        #expect(refused.outputText.isEmpty)
        #expect(refused.errorText.hasPrefix("keyctl: error: \(place.folder.path)/phone"), "\(refused.errorText)")
        // Nothing was made for him.
        #expect(try place.run("test -e shared/other").status == 1)
    }
}
