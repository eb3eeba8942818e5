import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import Testing

@testable import Simulator

/// A notification on its way through an extension's own process: what is shown, what the limits do, and what is left behind.
@Suite struct ExtensionTests {
    private let backend: Backend
    private let phone: ReceivingPhone

    init() throws {
        backend = try Backend()
        phone = try ReceivingPhone("one", with: backend.store)
    }

    private func provision(
        _ name: String, _ algorithm: KeyAlgorithm = .dir, accessible: AccessibilityClass = .standard
    ) throws {
        _ = try backend.store.provision(
            try ConversationIdentifier(name), algorithm: algorithm, members: [phone.thumbprint], accessible: accessible,
            now: Backend.start)
        try phone.acceptBundles(from: backend.store)
    }

    private func seal(_ json: String) throws -> [UInt8] {
        try backend.sealer().seal(try SealRequest(parsing: Array(json.utf8)), now: Backend.start)[0].payload
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func whatWasSealedIsShown(_ algorithm: KeyAlgorithm) throws {
        try provision("chat", algorithm)
        // Two epochs further, so that a step is kept through the channel.
        if algorithm == .dir { for _ in 0..<2 { _ = try backend.store.ratchet(try ConversationIdentifier("chat"), now: Backend.start) } }
        let payload = try seal(#"{"conversation":"chat","title":"Anna","body":"six","thread":"th","category":"ca","data":{"room":7}}"#)
        let result = try phone.receive(payload)
        #expect(result.ending == .delivered && result.failure == nil)
        let shown = try #require(result.shown)
        #expect(shown.base == .claims && shown.text == ShownText(title: "Anna", body: "six") && shown.thread == "th")
        #expect(
            shown.category == "ca" && !shown.isSilent && JSONValue.object(shown.userInfo) == .object([JSONMember("room", .number("7"))]))
        #expect(result.events.map(\.event).dropLast() == [.started, .decryption(.attempted), .decryption(.succeeded)])
        let handle = try #require(try backend.store.conversation(try ConversationIdentifier("chat")).active?.handle)
        #expect(try phone.epochs(of: handle).map(\.kid.epoch) == (algorithm == .dir ? [0, 2] : [0]))
        let again = try phone.receive(payload)
        #expect(again.shown?.text == ShownText(title: "Anna", body: "six") && again.shown?.isSilent == true)
        // The handler has returned each time: nothing is left to do for the app.
        #expect(try phone.drain(now: Backend.start + 1_000).isEmpty)
    }

    /// Every class in every lock state: the right outcome, the placeholder, nothing made, and what waits is opened after the unlock.
    @Test(
        arguments: [AccessibilityClass.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .whenUnlocked, .whenUnlockedThisDeviceOnly],
        [LockState.unlocked, .locked, .beforeFirstUnlock])
    func aLockedPhoneShowsThePlaceholderAndTheMessageWaits(_ accessible: AccessibilityClass, _ lock: LockState) throws {
        try provision("chat", accessible: accessible)
        let payload = try seal(#"{"conversation":"chat","title":"Anna","body":"six","expires":\#(Backend.start + 60)}"#)
        switch lock {
        case .unlocked: break
        case .locked: try phone.lock()
        case .beforeFirstUnlock: try phone.restart()
        }
        let result = try phone.receive(payload)
        #expect(result.ending == .delivered)
        let isReadable = lock == .unlocked || lock == .locked && accessible.isReadable(in: .locked)
        if isReadable {
            #expect(result.shown?.text == ShownText(title: "Anna", body: "six"))
            return #expect(try phone.drain(now: Backend.start + 1).isEmpty)
        }
        #expect(result.shown?.base == .placeholder && result.shown?.text == ShownText(body: "New message"))
        #expect(result.events.map(\.event).contains(.decryption(.failed(.keyLocked))))
        try phone.unlock()
        // Opened after its end, as it came before it.
        let openings = try phone.drain(now: Backend.start + 3_600)
        #expect(openings.map(\.outcome) == [.opened] && openings.first?.text == ShownText(title: "Anna", body: "six"))
        #expect(try phone.drain(now: Backend.start + 3_600).isEmpty)
    }

    /// In the language of the phone's owner, out of the container that the app has written to.
    @Test func aTextIsRenderedFromTheAppsTemplates() throws {
        try provision("chat")
        _ = try phone.receive(try seal(#"{"conversation":"chat","body":"first"}"#))
        let templates = Templates(try ContainerDirectory(phone.container), languages: ["de"])
        try templates.write(
            Array(#"{"new":{"one":"{count} Nachricht von {name}","other":"{count} Nachrichten von {name}"}}"#.utf8), language: "de")
        let payload = try seal(
            #"{"conversation":"chat","body":"new","loc_body":{"key":"new","args":{"count":"2","name":"Anna"}}}"#)
        let german = try phone.receive(payload) { $0.languages = ["de-AT", "en"] }
        #expect(german.shown?.text == ShownText(body: "2 Nachrichten von Anna"))
        #expect(try phone.receive(payload) { $0.languages = ["fr"] }.shown?.text == ShownText(body: "new"))
    }

    @Test func whatThePhoneHasNoKeyForIsNoted() throws {
        _ = try backend.provision("others", .dir)
        let result = try phone.receive(try seal(#"{"conversation":"others","body":"b"}"#))
        #expect(result.shown?.base == .placeholder && result.events.map(\.event).contains(.decryption(.failed(.unknownKey))))
        let notes = try BundleNotes(try ContainerDirectory(phone.container)).take()
        let active = try backend.store.conversation(try ConversationIdentifier("others")).active
        #expect(notes.map(\.kid) == [active] && notes.first?.count == 1)
    }

    @Test func aStoreThatIsGoneShowsThePlaceholder() throws {
        try provision("chat")
        let payload = try seal(#"{"conversation":"chat","body":"b"}"#)
        try phone.removeStore()
        let result = try phone.receive(payload)
        #expect(result.ending == .delivered && result.shown?.base == .placeholder && result.failure != nil)
    }

    /// The limit is real: what takes more is killed, and the system shows what came.
    @Test func whoTakesThirtyMegabytesIsKilled() throws {
        try provision("chat")
        let payload = try seal(#"{"conversation":"chat","body":"b"}"#)
        let result = try phone.receive(payload) { $0.plantedByteCount = 30 << 20 }
        #expect(result.ending == .killedForMemory && result.shown == nil)
        #expect(result.peakByteCount >= ExtensionSimulation.memoryLimit)
        // It was not remembered, and the next one is shown.
        #expect(try phone.receive(payload).shown?.text == ShownText(body: "b"))
    }

    @Test func aProgramThatIsNotThereIsNamed() throws {
        let payload = try seal(#"{"conversation":"\#(try backend.provision("chat", .dir).conversation)","body":"b"}"#)
        #expect(throws: SimulationError.noProgram(path: "/nowhere", code: ENOENT)) {
            try phone.receive(payload) { $0.program = "/nowhere" }
        }
        let ended = try phone.receive(payload) { $0.program = "/bin/false" }
        #expect(ended.shown == nil && ended.ending == .exited(code: 1))
        // One that never answers has its thirty seconds.
        let silent = try phone.receive(payload) {
            $0.program = "/usr/bin/yes"
            $0.timeScale = 100
        }
        #expect(silent.ending == .killedForTime && silent.shown == nil && silent.elapsed >= .seconds(30))
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"x"}}"#, APNsFile.Obstacle.notMutable), (#"{"aps":{"alert":"x","mutable-content":true}}"#, .notMutable),
        (#"{"aps":{"mutable-content":1}}"#, .noAlert), (#"{"aps":{"alert":{},"mutable-content":1}}"#, .noAlert),
        (#"{"aps":{"alert":"","mutable-content":1}}"#, .noAlert), (#"{"aps":{"content-available":1,"mutable-content":1}}"#, .noAlert),
        (#"{"Simulator Target Bundle":"other","aps":{"alert":"x","mutable-content":1}}"#, .otherApp("other")),
    ]) func theExtensionIsNotAskedForEverything(_ json: String, _ obstacle: APNsFile.Obstacle) throws {
        #expect(try APNsFile(Array(json.utf8)).obstacle(app: "app") == obstacle)
    }

    @Test func itIsAskedForWhatIsShown() throws {
        for json in [
            #"{"aps":{"alert":"x","mutable-content":1}}"#, #"{"aps":{"alert":{"loc-key":"k"},"mutable-content":1}}"#,
            #"{"Simulator Target Bundle":"app","aps":{"alert":{"title":"x"},"mutable-content":1}}"#,
        ] { #expect(try APNsFile(Array(json.utf8)).obstacle(app: "app") == nil) }
        for json in ["", "[]", "{}", #"{"aps":1}"#, #"{"aps":{},"Simulator Target Bundle":1}"#] {
            #expect(throws: FormatError.self) { try APNsFile(Array(json.utf8)) }
        }
    }
}
