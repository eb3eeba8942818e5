import DeviceEmulation
import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing

@testable import OpenerNSEApple

/// What the app leaves for its extension, and takes from it.
@Suite struct AppTests {
    @Test func templatesAreWrittenAsTheyAre() throws {
        let phone = try FacePhone()
        let app = try phone.app()
        let json = Array(#"{"greeting":"Hallo {name}"}"#.utf8)
        try app.writeTemplates(json, language: "zh-Hant-HK")
        try app.writeTemplates(json, language: "de")
        let directory = try GroupContainer(phone.appGroup).directory
        #expect(try directory.read("notifications-zh-Hant-HK.json", atMost: 1_000) == json)
        #expect(try directory.names().filter { $0.hasPrefix("notifications-") }.count == 2)
    }

    @Test(arguments: ["", "../de", "de/..", "d e", "dé", String(repeating: "a", count: 65)])
    func whatIsNoLanguageIsRefused(_ language: String) throws {
        let phone = try FacePhone()
        let error = #expect(throws: DeviceSetupError.self) { try phone.app().writeTemplates(Array("{}".utf8), language: language) }
        guard case .templates = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test(arguments: ["", "[]", #"{"a":"1","a":"2"}"#, "{} x"]) func whatAreNoTemplatesIsRefused(_ json: String) throws {
        let phone = try FacePhone()
        let error = #expect(throws: DeviceSetupError.self) { try phone.app().writeTemplates(Array(json.utf8), language: "de") }
        guard case .templates = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(try GroupContainer(phone.appGroup).directory.names().allSatisfy { !$0.hasPrefix("notifications-") })
    }

    @Test func aBundleThatCannotBeTakenNowCanBeLater() throws {
        let phone = try FacePhone()
        let app = try phone.app()
        let document = try app.identity.make(name: "phone")
        let bundle = try phone.bundle(for: document, accessible: .whenUnlocked)
        for state in [DeviceLock.beforeFirstUnlock, .locked] {
            phone.device.lockState = state
            #expect(app.accept(bundle: bundle).outcome == .keyLocked)
        }
        phone.device.lockState = .unlocked
        #expect(app.accept(bundle: bundle).outcome == .installed)
        let again = app.accept(bundle: bundle)
        #expect(again.outcome == .replayed && again.already)
    }

    @Test func theRenderingIsGivenTheSharedDirectory() throws {
        let phone = try FacePhone()
        try phone.provision()
        try phone.app().writeTemplates(Array(#"{"k":"rendered"}"#.utf8), language: "en")
        var settings = phone.settings
        settings.rendering = { Templates($0, languages: ["en-GB"]) }
        let sealed = try phone.seal(more: #","loc_body":{"key":"k","args":{}}"#)
        #expect(try Push.show(sealed, on: phone, settings).body == "rendered")
    }
}
