import EnvelopeFormat
import Foundation
import Testing

@testable import OpenerNSE

/// The stages in a process of their own: killed, without room, and many times.
@Suite struct DeliveryProcessTests {
    /// The system may stop a process as soon as its handler was called: by then all is told, and what waits is queued.
    @Test(
        arguments: [
            (0, [.decryption(.succeeded)], "begun"), (1, [.decryption(.failed(.keyLocked)), .deferred(isNew: true)], "queued"),
            (2, [.decryption(.failed(.notSealed)), .image(.attempted), .image(.failed(.type))], nil),
        ] as [(Int, [TelemetryEvent], String?)])
    func whatIsToldIsToldBeforeTheHandler(_ number: Int, _ events: [TelemetryEvent], _ left: String?) throws {
        let container = try TemporaryContainer()
        #expect(try Worker.lines(container.path, "die", number).isEmpty)
        let told = try TelemetryRing(container.directory).lines().map(\.event)
        #expect(told == [.started, .decryption(.attempted)] + events + [.delivered(after: .zero)])
        let states = try container.names(in: "queue").filter { $0 != "lock" }.map { $0.split(separator: ".").last.map(String.init) }
        #expect(states == (left.map { [$0] } ?? []))
        // What was not confirmed comes again, once.
        var again = 0
        try DeferredQueue(container.path + "/queue").drain(now: 1_700_000_000 + 61) { _ in
            again += 1
            return true
        }
        #expect(again == states.count)
    }

    /// From the n-th write on there is no room, or nothing can be written: each is shown what it should be, once.
    @Test(arguments: ["full", "io", "read-only"]) func withoutRoomAllIsShown(_ fault: String) throws {
        let whole = try TemporaryContainer()
        let said = try Worker.lines(whole.path, "deliver/count", 0)
        let shown = ["0 opened inside", "1 key-locked New message", "2 not-sealed -"]
        #expect(Worker.named("shown", in: said) == shown)
        let count = try #require(Worker.named("passed", in: said).first.flatMap(Int.init))
        try #require(count > 30)
        for number in 1...count {
            let container = try TemporaryContainer()
            let said = try Worker.lines(container.path, "deliver/\(fault)", number)
            // Before the first notification there is no container, and no pipeline either.
            if said.contains(where: { $0.hasPrefix("failed container") }) {
                #expect(number < 6)
                continue
            }
            #expect(Worker.named("shown", in: said) == shown, "\(fault) from \(number) on")
        }
    }

    /// Nothing is left open, whatever becomes of them.
    @Test func aThousandLeaveNothingOpen() throws {
        let container = try TemporaryContainer()
        let said = try Worker.lines(container.path, "many", 1_000)
        let open = Worker.named("open", in: said)
        #expect(open.count == 2 && open.first == open.last, "\(open)")
        #expect(Set(Worker.named("shown", in: said)).count == 1_000 && Worker.named("shown", in: said).count == 1_003)
        #expect(try container.names(in: "images").isEmpty)
    }
}
