import EnvelopeFormat
import Foundation
import Testing

@testable import OpenerNSE

/// What an extension tells of itself: bounded, readable by whoever comes later, and nothing of what is shown.
@Suite struct TelemetryTests {
    /// A little beyond the limit: a process that another test starts has the lock too, until it is another program.
    private static let fileBound = TelemetryRing.fileByteLimit + 4_000

    static let events: [TelemetryEvent] =
        [
            .started, .expired, .delivered(after: .milliseconds(0)), .delivered(after: .milliseconds(1_234)),
            .decryption(.attempted), .decryption(.succeeded), .image(.attempted),
            .image(.succeeded(unscaled: nil)), .deferred(isNew: true), .deferred(isNew: false),
        ] + UnscaledReason.allCases.map { .image(.succeeded(unscaled: $0)) } + DeferredRefusal.allCases.map { .refused($0) }
        + Outcome.allCases.map { .decryption(.failed($0)) } + ImageFailure.allCases.map { .image(.failed($0)) }

    @Test(arguments: events) func everyEventIsReadAsItWasWritten(_ event: TelemetryEvent) throws {
        let line = TelemetryLine(event: event, time: 1_700_000_000)
        #expect(line.bytes.last == UInt8(ascii: "\n"))
        #expect(TelemetryLine(Array(line.bytes.dropLast())) == line)
    }

    @Test(arguments: [
        "", "{}", "x", #"{"t":1}"#, #"{"event":"started"}"#, #"{"t":-1,"event":"started"}"#, #"{"t":1,"event":"other"}"#,
        #"{"t":1,"event":"decryption"}"#, #"{"t":1,"event":"decryption","result":"failed"}"#,
        #"{"t":1,"event":"decryption","result":"failed","reason":"dns"}"#, #"{"t":1,"event":"delivered"}"#,
        #"{"t":1,"event":"image","result":"succeeded","unscaled":"other"}"#, #"{"t":1,"event":"image","result":"succeeded","unscaled":1}"#,
        #"{"t":1,"event":"refused"}"#, #"{"t":1,"event":"refused","reason":"other"}"#,
        #"{"t":1,"event":"deferred","result":"other"}"#, #"{"t":1,"event":"started","result":"failed"}"#,
        #"{"t":1,"event":"started""#,
    ]) func whatIsNoLineIsLeftOut(_ text: String) { #expect(TelemetryLine(Array(text.utf8)) == nil) }

    @Test func theRingKeepsTheNewestWithinItsBound() throws {
        let container = try TemporaryContainer()
        let ring = TelemetryRing(container.directory)
        let count = 6_000
        for number in 0..<count { ring.record(.delivered(after: .milliseconds(number)), at: Int64(number)) }
        let lines = try ring.lines()
        #expect(lines.last?.time == Int64(count - 1))
        #expect(lines.map(\.time) == Array(Int64(count - lines.count)..<Int64(count)))
        let bytes = try TelemetryRing.fileNames.map { try container.directory.byteCount(of: $0) ?? 0 }
        #expect(bytes.allSatisfy { $0 <= Self.fileBound } && bytes.reduce(0, +) > TelemetryRing.fileByteLimit)
        #expect(try container.names() == ["telemetry.1.ndjson", "telemetry.lock", "telemetry.ndjson"])
    }

    /// Where the old file cannot be put aside, the new one ends somewhere, and one that is larger is a fault with a name.
    @Test func aRingThatCannotTurnIsBoundedAllTheSame() throws {
        let container = try TemporaryContainer()
        let ring = TelemetryRing(container.directory)
        try FileManager.default.createDirectory(atPath: container.path + "/telemetry.1.ndjson/x", withIntermediateDirectories: true)
        for number in 0..<6_000 { ring.record(.started, at: Int64(number)) }
        let count = try #require(try container.directory.byteCount(of: "telemetry.ndjson"))
        #expect((TelemetryRing.fileByteLimit..<Self.fileBound).contains(count))
        try FileManager.default.removeItem(atPath: container.path + "/telemetry.1.ndjson")
        try container.directory.append(Array(repeating: UInt8(ascii: "\n"), count: TelemetryRing.fileByteLimit), to: "telemetry.ndjson")
        let error = #expect(throws: ContainerError.self) { try ring.lines() }
        #expect(error?.isTooLarge == true && error?.description == "container: telemetry.ndjson: read failed (27): it is too large")
        ring.record(.started, at: 6_000)
        #expect(try container.directory.read("telemetry.ndjson", atMost: 29)?.count == 29)
    }

    /// Threads stand for processes: each call opens the files anew.
    @Test func manyWritersLoseNothingBesideTheOldest() async throws {
        let container = try TemporaryContainer()
        let directory = container.directory
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    let ring = TelemetryRing(directory)
                    for number in 0..<200 { ring.record(.started, at: Int64(writer * 1_000 + number)) }
                }
            }
        }
        let times = try TelemetryRing(directory).lines().map(\.time)
        #expect(Set(times).count == 1_600 && times.count == 1_600)
        for writer in 0..<8 {
            let own = times.filter { $0 / 1_000 == Int64(writer) }
            #expect(own == own.sorted())
        }
    }

    @Test func aDirectoryThatIsGoneIsNoTroubleToWhoTells() throws {
        let container = try TemporaryContainer()
        let ring = TelemetryRing(container.directory)
        try FileManager.default.removeItem(atPath: container.path)
        ring.record(.started, at: 1)
        #expect(try ring.lines().isEmpty)
    }

    @Test func theReportCountsStageByStage() {
        let events: [TelemetryEvent] = [
            .started, .decryption(.attempted), .decryption(.succeeded), .image(.attempted), .image(.failed(.dns)),
            .delivered(after: .milliseconds(50)), .started, .decryption(.attempted), .decryption(.failed(.keyLocked)),
            .delivered(after: .milliseconds(51)), .started, .decryption(.attempted), .delivered(after: .seconds(25)), .expired,
            .started, .delivered(after: .seconds(26)), .image(.succeeded(unscaled: nil)), .image(.succeeded(unscaled: .noDecoder)),
            .image(.failed(.noDecoder)), .refused(.full), .refused(.full), .refused(.storage),
            .deferred(isNew: true), .deferred(isNew: false),
        ]
        let report = TelemetryReport(events.enumerated().map { TelemetryLine(event: $1, time: Int64(100 - $0)) })
        #expect(report.started == 4 && report.delivered == 4 && report.expired == 1)
        #expect(report.decryption.attempted == 3 && report.decryption.succeeded == 1 && report.decryption.failed == [.keyLocked: 1])
        #expect(report.decryption.successRate == 0.5 && report.image.successRate == 0.5)
        #expect(report.image.failed == [.dns: 1, .noDecoder: 1] && report.unscaledImages == [.noDecoder: 1])
        #expect(report.refused == [.full: 2, .storage: 1])
        #expect(report.deferred == 1)
        #expect(report.latencies == [1, 1, 0, 0, 0, 0, 0, 0, 1, 1])
        #expect(report.first == 77 && report.last == 100)
        #expect(TelemetryReport([]).decryption.successRate == nil)
    }

    /// Four that were never sealed do not make a rate of 20 % out of one that opened; in whatever order the events are read.
    @Test func whatWasNeverSealedIsNoFailureToOpen() {
        let plain: [TelemetryEvent] = [.started, .decryption(.attempted), .decryption(.failed(.notSealed)), .delivered(after: .zero)]
        let events = Array(repeating: plain, count: 4).joined() + [.decryption(.attempted), .decryption(.succeeded)]
        for events in [Array(events), events.reversed()] {
            let report = TelemetryReport(events.map { TelemetryLine(event: $0, time: 1) })
            #expect(report.notSealed == 4 && report.started == 4 && report.delivered == 4)
            #expect(report.decryption.attempted == 1 && report.decryption.succeeded == 1 && report.decryption.failed.isEmpty)
            #expect(report.decryption.successRate == 1)
        }
        // Of a ring that has lost the beginning.
        #expect(TelemetryReport([TelemetryLine(event: .decryption(.failed(.notSealed)), time: 1)]).decryption.attempted == 0)
    }
}
