import EnvelopeFormat
import Foundation
import OpenerNSE
import TestSupport
import Testing
import UserNotifications

@testable import OpenerNSEApple

/// Whatever was sent and does not open: in no field of what the system is given stands anything but the app's placeholder.
@Suite struct NegativeContentTests {
    private static let handed = ProjectFolder.folder("WAXWING_CASES", else: "../shared/cases")?.appendingPathComponent("handed")
    private static let own: URL? = ProjectFolder.root.appendingPathComponent("Tests/Vectors")

    private func expectPlaceholder(_ content: UNNotificationContent, _ name: String) {
        let texts = [
            content.title, content.subtitle, content.body, content.threadIdentifier, content.categoryIdentifier, content.launchImageName,
            content.summaryArgument, content.targetContentIdentifier ?? "", content.filterCriteria ?? "",
        ]
        #expect(texts == ["Chat", "", "New message (ours)", "", "", "", "", "", ""], "\(name)")
        #expect(content.userInfo.isEmpty && content.attachments.isEmpty && content.summaryArgumentCount == 0, "\(name)")
    }

    private func phone() throws -> (phone: FacePhone, settings: OpenerSettings) {
        let phone = try FacePhone()
        try phone.provision()
        var settings = phone.settings
        settings.isSealedOnly = true
        return (phone, settings)
    }

    /// What stands under `encrypted_payload` of each case of a file, as the system hands it over.
    private func members(_ file: URL) throws -> [(name: String, sealed: Any?)] {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let cases = try #require(object?["cases"] as? [[String: Any]])
        return cases.compactMap { one in
            guard let base64 = one["payload_b64"] as? String, let payload = Data(base64Encoded: base64),
                let members = try? JSONSerialization.jsonObject(with: payload) as? [String: Any]
            else { return nil }
            return (one["id"] as? String ?? "?", members["encrypted_payload"])
        }
    }

    /// The project's own, and of the handed ones every fourth, or all in the slow run: each takes files of its own.
    @Test func everyNegativeCaseShowsThePlaceholder() throws {
        let (phone, settings) = try phone()
        var count = 0
        for (folder, step) in [(Self.own, 1), (Self.handed, TestAmount.rounds(4, slow: 1))] {
            let cases = try folder.map { try members($0.appendingPathComponent("open-negative.json")) } ?? []
            for case (let index, (let name, let sealed)) in cases.enumerated() where index.isMultiple(of: step) {
                expectPlaceholder(try Push.show(sealed, on: phone, settings), name)
                count += 1
            }
        }
        #expect(count > 200)
    }

    /// Of one that opens as it was sent, every part altered.
    @Test func whatWasAlteredShowsThePlaceholder() throws {
        let (phone, settings) = try phone()
        let good = try phone.seal(1)
        var random = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(100, slow: 5_000) {
            var bytes = Array(good.utf8)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x21...0x7E, using: &random)
            case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            default: bytes.insert(UInt8.random(in: 0x21...0x7E, using: &random), at: Int.random(in: 0...bytes.count, using: &random))
            }
            let altered = String(decoding: bytes, as: UTF8.self)
            guard altered != good else { continue }
            expectPlaceholder(try Push.show(altered, on: phone, settings), altered)
        }
        #expect(try Push.show(good, on: phone, settings).body == "inside 1")
    }
}
