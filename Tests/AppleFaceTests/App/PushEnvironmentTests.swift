import Foundation
import Testing

@testable import OpenerNSEApple

/// Which push service an app's tokens belong to.
@Suite struct PushEnvironmentTests {
    /// As Xcode puts it into an app: a property list, with what signs it around.
    private func profile(_ entitlement: String) -> Data {
        let list =
            #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>Entitlements</key><dict>\#(entitlement)</dict></dict></plist>"#
        return Data([0x30, 0x82, 0xFF, 0x00]) + Data(list.utf8) + Data([0xA0, 0x82, 0x3C, 0xFF])
    }

    @Test(arguments: PushEnvironment.allCases) func theProfileSaysIt(_ environment: PushEnvironment) {
        let entitlement = "<key>aps-environment</key><string>\(environment.rawValue)</string>"
        #expect(PushEnvironment(profile: profile(entitlement)) == environment)
    }

    @Test func withoutOneItIsFromTheStore() {
        #expect(PushEnvironment(profile: nil) == .production && PushEnvironment.current == .production)
        for data in [Data(), Data("</plist><?xml".utf8), Data("<?xml</plist>".utf8), profile("")] {
            #expect(PushEnvironment(profile: data) == .production)
        }
    }

    @Test func eachHasItsHost() {
        #expect(PushEnvironment.allCases.map(\.host) == ["api.sandbox.push.apple.com", "api.push.apple.com"])
    }
}
