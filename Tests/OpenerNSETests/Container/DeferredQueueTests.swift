import EnvelopeFormat
import Foundation
import Testing

@testable import OpenerNSE

/// What waits to be opened: in order, within bounds, once each, and never lost while there is room.
@Suite struct DeferredQueueTests {
    private let container: TemporaryContainer
    private let queue: DeferredQueue
    private let phone: Phone

    init() throws {
        container = try TemporaryContainer()
        queue = try DeferredQueue(container.path + "/queue")
        phone = try Phone()
    }

    private func incoming(
        _ message: UInt8, handle: UInt8 = 1, arrival: Int64 = Phone.now, identifier: String = "request", more: String = ""
    ) throws -> IncomingNotification {
        let sealed = try phone.seal(try phone.claims(message, more: more), handle: handle)
        return IncomingNotification(identifier: identifier, sealed: .string(sealed), arrival: arrival)
    }

    /// As a run does it: written down, opened, settled.
    /// - Returns: the entry, while it is to be finished.
    @discardableResult
    private func add(_ incoming: IncomingNotification, _ outcome: Outcome = .keyLocked, isShown: Bool = true) -> DeferredEntry? {
        let settlement = queue.settle(queue.begin(incoming), incoming, outcome, isShown: isShown)
        if case .underWay(let entry) = settlement { return entry } else { return nil }
    }

    /// What is in the queue's directory beside what it always holds.
    private func names() throws -> [String] {
        try container.names(in: "queue").filter { !["lock", "drain.lock", "shown"].contains($0) }
    }

    private func digits(_ count: Int) -> String { String(repeating: "1", count: count) }

    private func drained(now: Int64 = Phone.now, confirms: Bool = true) throws -> [DeferredEntry] {
        var entries: [DeferredEntry] = []
        try queue.drain(now: now) {
            entries.append($0)
            return confirms
        }
        return entries
    }

    @Test func whatIsLockedWaitsInTheOrderOfArrival() throws {
        let order: [(message: UInt8, arrival: Int64)] = [(1, 30), (2, 10), (3, 20), (4, 20), (5, 5)]
        for (message, arrival) in order { add(try incoming(message, arrival: Phone.now + arrival, identifier: "r\(message)")) }
        #expect(try queue.count() == 5)
        let entries = try drained(now: Phone.now + 31)
        #expect(entries.map(\.identifier) == ["r5", "r2", "r3", "r4", "r1"])
        #expect(entries.map { $0.arrival - Phone.now } == [5, 10, 20, 20, 30])
        #expect(try queue.count() == 0)
        #expect(try names().isEmpty)
    }

    @Test(arguments: Outcome.allCases, [true, false]) func onlyWhatMayStillOpenWaits(_ outcome: Outcome, isShown: Bool) throws {
        let entry = add(try incoming(1), outcome, isShown: isShown)
        let waits = [.keyLocked, .storeUnavailable].contains(outcome) || [.opened, .duplicate].contains(outcome) && !isShown
        #expect(try queue.count() == (waits ? 1 : 0))
        // What is shown now is finished when the handler has returned, and until then it is there.
        let isUnderWay = [.opened, .duplicate].contains(outcome) && isShown
        #expect((entry != nil) == isUnderWay)
        #expect(try names().count == (waits || isUnderWay ? 1 : 0))
        queue.finish(entry)
        #expect(try names().count == (waits ? 1 : 0))
    }

    @Test func whatIsNotConfirmedStays() throws {
        add(try incoming(1))
        #expect(try drained(confirms: false).count == 1)
        #expect(try drained(confirms: true).count == 1)
        #expect(try drained().isEmpty)
    }

    /// Who is killed while he opens leaves it behind; who is at it still is not disturbed.
    @Test func whatWasBegunAndNotFinishedIsDrainedAfterAMinute() throws {
        _ = queue.begin(try incoming(1))
        #expect(try drained(now: Phone.now + DeferredQueue.openingTime).isEmpty)
        #expect(try drained(now: Phone.now + DeferredQueue.openingTime + 1).count == 1)
    }

    @Test func identicalBytesWaitOnce() throws {
        let message = try incoming(1)
        add(message)
        let again = IncomingNotification(identifier: "another", sealed: message.sealed, arrival: Phone.now + 9)
        add(again)
        #expect(try drained(now: Phone.now + 10).map(\.identifier) == ["request"])
    }

    @Test func whatHasNothingSealedIsNotWrittenDown() throws {
        for sealed in [SealedMember.absent, .other] {
            #expect(queue.begin(IncomingNotification(identifier: "r", sealed: sealed, arrival: 1)) == nil)
        }
        #expect(try queue.takeRefusedCount() == 0)
    }

    @Test func aSplitMessageComesBackAsItWas() throws {
        let members = [JSONMember("ciphertext", .string("YQ==")), JSONMember("nonce", .string("YQ==")), JSONMember("tag", .string("YQ=="))]
        add(IncomingNotification(identifier: "r", sealed: .object(members), arrival: Phone.now))
        guard case .object(let found)? = try drained().first?.sealed else {
            Issue.record("it does not come back")
            return
        }
        #expect(JSONValue.object(found) == JSONValue.object(members))
    }

    /// Nothing that waits makes room for what comes; what is refused is counted, and the app can ask how many it were.
    @Test func atTheBoundTheNewestIsRefusedAndCounted() throws {
        // Alone it gets three quarters.
        let most = 192
        let waiting = try (0..<most).map { number in
            try incoming(UInt8(number % 256), arrival: Phone.now + Int64(number), identifier: "r\(number)")
        }
        for message in waiting { add(message) }
        #expect(try queue.count() == most)
        #expect(try queue.takeRefusedCount() == 0)
        let late = try incoming(1, arrival: Phone.now + 999, identifier: "late", more: #","title":"x""#)
        guard case .refused(.full) = queue.settle(queue.begin(late), late, .keyLocked, isShown: true) else {
            Issue.record("it is not refused")
            return
        }
        // What waits already is not refused when it comes again.
        add(waiting[3])
        #expect(try queue.count() == most)
        #expect(try queue.takeRefusedCount() == 1)
        #expect(try queue.takeRefusedCount() == 0)
        // Others find room, up to the bound of all.
        for number in 0..<70 {
            add(try incoming(UInt8(number), handle: UInt8(2 + number), arrival: Phone.now + 1_000, identifier: "o\(number)"))
        }
        #expect(try queue.count() == DeferredQueue.entryLimit)
        #expect(try queue.takeRefusedCount() == 70 - DeferredQueue.entryLimit + most)
        #expect(try drained(now: Phone.now + 2_000).prefix(waiting.count).map(\.identifier) == waiting.map(\.identifier))
    }

    /// However many hold much, there is room for one more that does not, as long as there is any.
    @Test(arguments: [1, 2, 3, 10]) func whoeverHoldsMostIsRefusedFirst(_ count: Int) throws {
        for number in 0..<300 {
            add(
                try incoming(
                    UInt8(number % 256), handle: UInt8(1 + number % count), arrival: Phone.now + Int64(number),
                    more: #","title":"\#(number)""#))
        }
        let held = try queue.count()
        #expect((DeferredQueue.entryLimit * 3 / 4..<DeferredQueue.entryLimit).contains(held))
        _ = try queue.takeRefusedCount()
        add(try incoming(1, handle: 99, arrival: Phone.now + 999))
        #expect(try queue.count() == held + 1 && queue.takeRefusedCount() == 0)
    }

    @Test func bytesAreBoundedToo() throws {
        let long = #","data":{"x":""# + String(repeating: "x", count: 7_000) + #""}"#
        for number in 0..<250 {
            add(try incoming(UInt8(number), handle: UInt8(1 + number % 50), arrival: Phone.now + Int64(number), more: long))
        }
        let names = try container.names(in: "queue").filter { $0.hasSuffix(".queued") }
        let byteCount = try names.reduce(0) { count, name in
            count + (try FileManager.default.attributesOfItem(atPath: "\(container.path)/queue/\(name)")[.size] as? Int ?? 0)
        }
        #expect(byteCount <= DeferredQueue.byteLimit && byteCount > DeferredQueue.byteLimit - 20_000)
        #expect(try queue.takeRefusedCount() == 250 - names.count)
    }

    @Test func whatWasCutShortIsThrownAway() throws {
        add(try incoming(1))
        add(try incoming(2, arrival: Phone.now + 1))
        let names = try container.names(in: "queue").filter { $0.hasSuffix(".queued") }
        try Data("{\"id\":".utf8).write(to: URL(fileURLWithPath: "\(container.path)/queue/\(names[0])"))
        #expect(try drained(now: Phone.now + 9).count == 1)
        #expect(try queue.count() == 0)
    }

    /// Nothing in the directory keeps the others from being opened.
    @Test func whatIsNoEntryIsThrownAwayOrNamed() throws {
        for number in 1...5 { add(try incoming(UInt8(number), arrival: Phone.now + Int64(number), identifier: "r\(number)")) }
        let paths = try names().map { "\(container.path)/queue/\($0)" }
        try Data(repeating: 0x20, count: DeferredQueue.byteLimit + 1).write(to: URL(fileURLWithPath: paths[0]))
        try FileManager.default.removeItem(atPath: paths[1])
        try FileManager.default.createSymbolicLink(atPath: paths[1], withDestinationPath: "/dev/zero")
        try FileManager.default.removeItem(atPath: paths[2])
        #expect(mkfifo(paths[2], 0o600) == 0)
        try FileManager.default.removeItem(atPath: paths[3])
        try FileManager.default.createDirectory(atPath: paths[3] + "/x", withIntermediateDirectories: true)
        var opened: [String] = []
        let error = #expect(throws: ContainerError.self) {
            try queue.drain(now: Phone.now + 9) {
                opened.append($0.identifier)
                return true
            }
        }
        #expect(opened == ["r5"] && error?.operation == "unlink")
        #expect(try names().map { "\(container.path)/queue/\($0)" } == [paths[3]])
    }

    @Test func aClockThatWasSetLosesNothing() throws {
        // Begun while the clock was a year ahead, and killed.
        _ = queue.begin(try incoming(1, arrival: Phone.now + 365 * Phone.day))
        _ = queue.begin(try incoming(2, arrival: .max))
        _ = queue.begin(try incoming(3, arrival: -5))
        #expect(try drained().map(\.arrival) == [0, Phone.now + 365 * Phone.day, 1 << 53 - 1])
    }

    @Test func aNameSaysWhatItWasMadeOf() throws {
        for kid in ["AAAAAAAAAAAA-_-A.65535", nil] as [String?] {
            var name = DeferredName(
                arrival: 1_700_000_000, sequence: 17, digest: String(repeating: "a", count: 32), byteCount: 999, kid: kid)
            for state in [DeferredName.State.begun, .queued] {
                name.state = state
                #expect(DeferredName(name.text) == name)
            }
        }
        for text in [
            "", "lock", "a-b-c-d", "1-1-\(String(repeating: "a", count: 32))-x",
            "\(digits(16))-\(digits(8))-\(digits(32))-\(digits(6)).queued",
            "\(digits(16))-\(digits(8))-\(digits(32))-\(digits(6))-.other", "\(digits(16))-\(digits(8))-\(digits(31))-\(digits(6))-.queued",
            "+\(digits(15))-\(digits(8))-\(digits(32))-\(digits(6))-.queued",
            "\(digits(16))-\(digits(9))-\(digits(32))-\(digits(6))-.queued",
            "f\(digits(15))-\(digits(8))-\(digits(32))-\(digits(6))-.queued",
        ] {
            #expect(DeferredName(text) == nil)
        }
        #expect(DeferredName("\(digits(16))-\(digits(8))-\(digits(32))-\(digits(6))-.queued") != nil)
    }

    @Test func aContainerThatCannotBeWrittenLosesNoNotification() throws {
        try FileManager.default.removeItem(atPath: container.path + "/queue")
        #expect(queue.begin(try incoming(1)) == nil)
        guard case .refused(.storage) = queue.settle(nil, try incoming(1), .keyLocked, isShown: true) else {
            Issue.record("it is not refused")
            return
        }
    }
}
