import Foundation
import TestSupport
import Testing
import UserNotifications
import os

@testable import ChatExample

@testable import OpenerNSEApple

/// The example and its page: what is shown there is compiled here, and both targets have the same groups.
@Suite struct ExampleTests {
    private static let folder = ProjectFolder.root.appendingPathComponent("Examples/iOS")

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(path), encoding: .utf8)
    }

    private func list(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: Self.folder.appendingPathComponent(path))
        return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any], "\(path)")
    }

    @Test func everySnippetOfThePageIsInTheExample() throws {
        let paths = try #require(FileManager.default.subpaths(atPath: Self.folder.path))
        let files = try paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix("plist") || $0.hasSuffix(".entitlements") }.map(text)
        let page = try String(contentsOf: ProjectFolder.root.appendingPathComponent("docs/ios.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "\n```").filter { $0.hasPrefix("swift\n") || $0.hasPrefix("xml\n") }
        #expect(blocks.filter { $0.hasPrefix("swift") }.count == 13 && blocks.filter { $0.hasPrefix("xml") }.count == 4)
        for block in blocks {
            let snippet = block.drop { $0 != "\n" }.dropFirst()
            #expect(files.contains { $0.contains(snippet) }, "\(snippet)")
        }
    }

    /// Whoever looks for a line finds it in the log as it stands on the page.
    @Test func theLinesOfThePageAreThoseOfTheSources() throws {
        let page = try String(contentsOf: ProjectFolder.root.appendingPathComponent("docs/ios.md"), encoding: .utf8)
        let folder = ProjectFolder.root.appendingPathComponent("Sources/OpenerNSE/Apple")
        let sources = try #require(FileManager.default.subpaths(atPath: folder.path)).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
        let rows = page.split(separator: "\n").drop { $0 != "| line, or what you see | it means | do |" }.dropFirst(2)
        var count = 0
        for row in rows.prefix(while: { $0.hasPrefix("| `") }) {
            for phrase in row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map(\.output.1) where !phrase.hasPrefix("-") {
                for part in phrase.split(separator: "…") where part.count > 3 {
                    #expect(sources.contains(part), "\(part)")
                    count += 1
                }
            }
        }
        #expect(count >= 6)
    }

    @Test func bothTargetsHaveTheGroupsOfTheSettings() throws {
        let (app, service) = (try list("Chat/Chat.entitlements"), try list("NotificationService/NotificationService.entitlements"))
        for name in ["com.apple.security.application-groups", "keychain-access-groups"] {
            #expect(app[name] as? [String] == service[name] as? [String] && (app[name] as? [String])?.count == 1)
        }
        #expect(app["com.apple.security.application-groups"] as? [String] == [OpenerSettings.chat.appGroup])
        #expect(app["aps-environment"] as? String == "development" && service["aps-environment"] == nil)
        for path in ["Chat/Info.plist", "NotificationService/Info.plist"] {
            #expect(try list(path)["KeychainGroup"] as? String == (app["keychain-access-groups"] as? [String])?.first)
        }
    }

    @Test func theExtensionIsNamedAsItIs() throws {
        let point = try #require(try list("NotificationService/Info.plist")["NSExtension"] as? [String: Any])
        #expect(point["NSExtensionPointIdentifier"] as? String == "com.apple.usernotifications.service")
        #expect(point["NSExtensionPrincipalClass"] as? String == "$(PRODUCT_MODULE_NAME).\(NotificationService.self)")
        #expect(NotificationService.settings.appGroup == "group.com.example.chat")
        #expect(try list("Shared/PrivacyInfo.xcprivacy")["NSPrivacyTracking"] as? Bool == false)
    }

    @Test func thePhoneIsEnrolledOnceAndTakesItsBundles() async throws {
        let phone = try FacePhone()
        // Nobody listens at port 1 of this machine: the identity stays, and is sent again the next time.
        let session = ChatSession(
            backend: Backend(url: URL(string: "http://127.0.0.1:1"), token: { "anna" }), settings: phone.settings)
        await #expect(throws: (any Error).self) { try await session.enroll() }
        let first = try #require(try phone.app().identity.thumbprint())
        await session.start(token: Data([1, 0xAB]))
        #expect(try phone.app().identity.thumbprint() == first)
        #expect(phone.lines.contains { $0.contains("[app] error: start:") })
    }

    /// Numbers alone, in a form that JSON has.
    @Test func howItDoesIsReported() async throws {
        let phone = try FacePhone()
        try phone.provision()
        _ = try Push.show("x", on: phone)
        let session = ChatSession(
            backend: Backend(url: URL(string: "http://127.0.0.1:1"), token: { "anna" }), settings: phone.settings)
        let error = await #expect(throws: URLError.self) { try await session.report() }
        #expect(error?.code == .cannotConnectToHost)
    }

    @Test func whatWaitedIsShownWhenTheAppComesToTheFront() async throws {
        let phone = try FacePhone()
        try phone.provision(accessible: .whenUnlocked)
        phone.device.lockState = .locked
        #expect(try Push.show(try phone.seal(), on: phone).body == "New message (ours)")
        phone.device.lockState = .unlocked
        let backend = try ChatBackend()
        await session(of: phone, backend).catchUp()
        #expect(phone.lines.filter { $0.contains("[app]") }.isEmpty)
    }

    private func session(of phone: FacePhone, _ backend: ChatBackend) -> ChatSession {
        ChatSession(backend: Backend(url: backend.url, token: { "anna" }), settings: phone.settings)
    }

    /// A phone is enrolled before anything can be provisioned for it, and is told of nothing: it asks.
    @Test func aBundleThatComesAfterEnrollmentIsTakenWithoutAnyPush() async throws {
        let (phone, backend) = (try FacePhone(), try ChatBackend())
        let session = session(of: phone, backend)
        await session.catchUp()
        #expect(throws: CocoaError.self) { try backend.requests() }
        await session.start(token: Data([1, 0xAB]))
        #expect(try backend.requests() == ["enroll Bearer anna", "address Bearer anna", "bundles Bearer anna"])
        try backend.offer(try phone.bundle(for: try phone.app().identity.enrollmentDocument()))
        await session.catchUp()
        #expect(try backend.requests().last == #"acknowledge Bearer anna {"seq":100}"#)
        #expect(try Push.show(try phone.seal(), on: phone).body == "inside 0")
        #expect(phone.lines.filter { $0.contains("[app]") }.isEmpty)
    }

    /// The phone was locked when it was offered.
    @Test func aBundleThatFoundThePhoneLockedIsTakenAfterTheUnlock() async throws {
        let (phone, backend) = (try FacePhone(), try ChatBackend())
        let session = session(of: phone, backend)
        await session.start(token: Data([1]))
        try backend.offer(try phone.bundle(for: try phone.app().identity.enrollmentDocument(), accessible: .whenUnlocked))
        phone.device.lockState = .locked
        await session.catchUp()
        #expect(try backend.requests().last == "bundles Bearer anna")
        phone.device.lockState = .unlocked
        await session.catchUp()
        #expect(try backend.requests().last == #"acknowledge Bearer anna {"seq":100}"#)
    }

    /// No request goes out without a session, the enrollment secret least of all.
    @Test func whoIsNotSignedInAsksForNothing() async throws {
        let (phone, backend) = (try FacePhone(), try ChatBackend())
        await ChatSession(backend: Backend(url: backend.url), settings: phone.settings).start(token: Data([1]))
        #expect(throws: CocoaError.self) { try backend.requests() }
        #expect(phone.lines.contains { $0.contains("[app] error: start:") })
    }

    @Test func theSceneIsNamedAsItIs() throws {
        let manifest = try #require(try list("Chat/Info.plist")["UIApplicationSceneManifest"] as? [String: Any])
        let roles = try #require(manifest["UISceneConfigurations"] as? [String: [[String: String]]])
        let scene = try #require(roles["UIWindowSceneSessionRoleApplication"]?.first)
        #expect(scene["UISceneDelegateClassName"] == "$(PRODUCT_MODULE_NAME).\(LaunchedApp.sceneDelegate)")
    }

    @MainActor @Test func theAppAsksForAnAddressAndShowsNotificationsInFront() async throws {
        let app = LaunchedApp()
        #expect(app.launch())
        while app.registrations == 0 { await Task.yield() }
        // No process here has the example's own groups, and its session says so.
        app.comeToTheFront()
        while !EmulatedLog.lines(of: OpenerSettings.chat.logSubsystem).contains(where: { $0.contains("catching up: App Group") }) {
            await Task.yield()
        }
        #expect(app.presentation(of: Push.request("x")) == [.banner, .list])
        let rewritten = UNNotificationRequest(identifier: "x", content: Push.content("x"), trigger: nil)
        #expect(app.presentation(of: rewritten) == [.list])
        #expect(app.window()?.isKeyWindow == true)
    }
}
