import Dispatch
import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import Synchronization
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

    @Test(arguments: [
        ("", "payload: empty"), ("[]", "payload: not an object"), ("{}", "aps: missing: no APNs payload"),
        (#"{"aps":[]}"#, "aps: not an object"), (#"{"aps":{},"Simulator Target Bundle":1}"#, "Simulator Target Bundle: not a string"),
        (#"{"aps":{},"Simulator Target Bundle":""}"#, "Simulator Target Bundle: empty"),
    ]) func whatIsNoPayloadIsNamed(_ json: String, _ words: String) {
        let error = #expect(throws: FormatError.self) { try APNsFile(Array(json.utf8)) }
        #expect(error?.description == words)
    }

    /// What only a call may have is too much for what is shown; what never travels is not counted.
    @Test func whatIsTooLargeForAnAlertIsRefusedByAPNs() throws {
        let (head, tail) = (#"{"aps":{"alert":"x","mutable-content":1},"x":""#, #""}"#)
        func file(_ byteCount: Int, _ bundle: String = "") throws -> APNsFile {
            let filler = String(repeating: "a", count: byteCount - head.utf8.count - tail.utf8.count)
            return try APNsFile(Array((head + filler + #"""# + bundle + "}").utf8))
        }
        #expect(try file(4_096).refusal == nil)
        #expect(try file(4_096, #","Simulator Target Bundle":"com.example.chat""#).refusal == nil)
        #expect(try file(4_097).refusal == "PayloadTooLarge: 4097 bytes, and what is shown has at most 4096")
        #expect(try file(9_000).refusal?.hasPrefix("PayloadTooLarge: 9000 bytes") == true)
    }

    @Test func whatIsLeftOfTheQuietDetailsIsTold() throws {
        let aps = #"{"alert":"x","badge":3,"sound":"s","relevance-score":0.5,"interruption-level":"active","thread-id":"t"}"#
        let details = try APNsFile(Array(#"{"aps":\#(aps)}"#.utf8)).quietDetails
        #expect(details.members.map(\.name) == ["sound", "badge", "interruption-level", "relevance-score"])
        var shown = ShownNotification(placeholder: ShownText(body: "p"), outcome: .keyLocked)
        #expect(details.kept(by: shown) == details)
        shown.isSilent = true
        #expect(details.kept(by: shown).members.map(\.name) == ["badge", "interruption-level", "relevance-score"])
        shown.isSuppressible = true
        #expect(details.kept(by: shown).members.isEmpty)
    }

    /// Of a split message there is no record that says it is the first time.
    @Test func whatIsUncheckedAgainstReplayIsMarked() throws {
        try provision("chat")
        #expect(try phone.receive(try seal(#"{"conversation":"chat","body":"b"}"#)).shown?.isReplayUnchecked == false)
        let split = try backend.provision("sp", .split).conversation
        let (key, until) = try backend.store.splitExport(split, now: Backend.start)
        try phone.allowSplit()
        try phone.takeSplitKey(key, of: split, until: until)
        let shown = try phone.receive(try seal(#"{"conversation":"sp","body":"b"}"#)).shown
        #expect(shown?.base == .claims && shown?.isReplayUnchecked == true)
    }

    /// What is told of a run are the events of its own process: not those of others that share the container, and also where the
    /// container takes none.
    @Test func eachRunTellsItsOwnEvents() throws {
        try provision("chat")
        let payloads = try (0..<6).map { try seal(#"{"conversation":"chat","body":"\#($0)"}"#) }
        let told = Mutex<[[TelemetryEvent]]>([])
        DispatchQueue.concurrentPerform(iterations: payloads.count) { index in
            let events = (try? phone.receive(payloads[index]).events.map(\.event)) ?? []
            told.withLock { $0.append(events) }
        }
        let expected: [TelemetryEvent] = [.started, .decryption(.attempted), .decryption(.succeeded)]
        #expect(told.withLock { $0 }.map { Array($0.dropLast()) } == Array(repeating: expected, count: payloads.count))
        let ring = phone.container + "/telemetry.ndjson"
        try FileManager.default.removeItem(atPath: ring)
        try FileManager.default.createDirectory(atPath: ring, withIntermediateDirectories: false)
        let events = try phone.receive(try seal(#"{"conversation":"chat","body":"more"}"#)).events.map(\.event)
        #expect(Array(events.dropLast()) == expected && events.count == 4)
    }

    /// Queued, there already, and not to be had: what becomes of a message that waits is told.
    @Test func whatBecomesOfAMessageThatWaitsIsTold() throws {
        try provision("chat", accessible: .whenUnlocked)
        let payloads = try (0..<2).map { try seal(#"{"conversation":"chat","body":"\#($0)"}"#) }
        #expect(try phone.receive(payloads[0]).queueing == nil)
        try phone.lock()
        #expect(try phone.receive(payloads[1]).queueing == .queued)
        #expect(try phone.receive(payloads[1]).queueing == .alreadyQueued)
        let queue = phone.container + "/queue"
        for name in try FileManager.default.contentsOfDirectory(atPath: queue) {
            try FileManager.default.removeItem(atPath: queue + "/" + name)
        }
        try FileManager.default.createDirectory(atPath: queue + "/lock", withIntermediateDirectories: false)
        #expect(try phone.receive(payloads[1]).queueing == .notQueued(.storage))
        try FileManager.default.removeItem(atPath: queue)
        try Data().write(to: URL(fileURLWithPath: queue))
        #expect(try phone.receive(payloads[1]).queueing == .notQueued(.storage))
    }

    @Test func aRehearsalLeavesNothingAnywhere() throws {
        try provision("chat", accessible: .whenUnlocked)
        let payload = try seal(#"{"conversation":"chat","body":"b"}"#)
        #expect(try phone.rehearse(payload).shown?.outcome == .opened)
        #expect(!FileManager.default.fileExists(atPath: phone.container))
        #expect(try phone.receive(payload).shown?.outcome == .opened)
        try phone.lock()
        let later = try seal(#"{"conversation":"chat","body":"c"}"#)
        #expect(try phone.rehearse(later).queueing == .queued)
        #expect(try phone.receive(later).queueing == .queued)
        // It knows what is there.
        #expect(try phone.rehearse(later).queueing == .alreadyQueued)
        let path = try { try RehearsedContainer(of: phone.container).path }()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
