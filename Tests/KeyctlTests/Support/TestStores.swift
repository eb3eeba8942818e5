import Foundation
import Testing

/// A workplace with a sealer store, a device store, an enrolled device and two conversations.
struct TestStores {
    let place: Workplace
    /// The thumbprint of the device.
    let device: String

    init() throws {
        place = try Workplace()
        try place.write("4711\n", to: "passcode")
        let lines = [
            "keyctl init --store sealer --role sealer --key-file key",
            "keyctl init --store phone --role device --passphrase-fd 3 --argon2id 1,8 3< passcode",
            "keyctl device new --store phone --name Blue > enrollment.json",
            "keyctl device enroll --store sealer enrollment.json > device",
            "keyctl provision --store sealer --conversation chat --device $(cat device)",
            "keyctl provision --store sealer --conversation legacy --alg split --until 2100-01-01",
            "keyctl bundle --store sealer --device $(cat device) > bundles",
            "echo hello | keyctl seal --store sealer --conversation chat --body-file - > push",
            "keyctl split export --store sealer --conversation legacy --output split.json",
        ]
        for line in lines {
            let finished = try place.run(line)
            try #require(finished.status == 0, "\(line): \(finished.errorText)")
        }
        device = String(decoding: try place.read("device"), as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    /// Runs a line of shell and says whether it ended so.
    func ends(_ line: String, _ status: Int32, _ location: SourceLocation = #_sourceLocation) throws -> Finished {
        let finished = try place.run(line, variables: ["device": device])
        #expect(finished.status == status, "\(line): \(finished.errorText)", sourceLocation: location)
        return finished
    }
}
