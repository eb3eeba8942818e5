import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import Testing

@testable import Simulator

/// A notification counts as shown when the system has taken it, and waits for the app where it was not.
@Suite struct TakenTests {
    private struct Unprinted: Error {}

    private let backend: Backend
    private let phone: ReceivingPhone

    init() throws {
        backend = try Backend()
        phone = try ReceivingPhone("one", with: backend.store)
        let name = try ConversationIdentifier("chat")
        _ = try backend.store.provision(name, algorithm: .dir, members: [phone.thumbprint], now: Backend.start)
        try phone.acceptBundles(from: backend.store)
    }

    private func seal() throws -> [UInt8] {
        let request = try SealRequest(parsing: Array(#"{"conversation":"chat","body":"six"}"#.utf8))
        return try backend.sealer().seal(request, now: Backend.start)[0].payload
    }

    private func queued() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: phone.container + "/queue").filter { $0 != "lock" }.sorted()
    }

    @Test func whatWasTakenIsShown() throws {
        let payload = try seal()
        var before: [String] = []
        _ = try phone.receive(payload, show: { _ in before = try queued() })
        #expect(before.count == 1 && before.allSatisfy { $0.hasSuffix(".begun") })
        #expect(try queued() == ["shown"])
        #expect(try phone.receive(payload) { $0.canSuppress = true }.shown?.isSuppressible == true)
    }

    @Test func whatWasPrintedNowhereWaits() throws {
        let payload = try seal()
        #expect(throws: Unprinted.self) { try phone.receive(payload, show: { _ in throw Unprinted() }) }
        let names = try queued()
        #expect(names.count == 1 && names.allSatisfy { $0.hasSuffix(".begun") })
        // It opened before, and is not held back for that.
        #expect(try phone.receive(payload) { $0.canSuppress = true }.shown?.isSuppressible == false)
        #expect(try phone.drain(now: Backend.start + 61).map(\.text) == [ShownText(body: "six")])
        #expect(try phone.drain(now: Backend.start + 61).isEmpty)
    }

    @Test(arguments: [Int64(-18_000_000), .min, .max]) func aClockThatIsWrongCostsNoNotification(_ now: Int64) throws {
        let result = try phone.receive(try seal(), now: now)
        #expect(result.ending == .delivered && result.shown?.base == .placeholder)
    }

    /// Where a folder of the container should be something else is.
    @Test(arguments: ["queue", "images"]) func whatIsNoFolderCostsNoNotification(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: phone.container, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(phone.container)/\(name)"))
        #expect(try phone.receive(try seal()).shown?.text == ShownText(body: "six"))
        // What cannot be opened now is lost without a queue, and that is told.
        try phone.restart()
        let locked = try phone.receive(try seal())
        #expect(locked.shown?.outcome == .keyLocked && locked.ending == .delivered)
        #expect(locked.events.map(\.event).contains(.refused(.storage)) == (name == "queue"))
    }
}
