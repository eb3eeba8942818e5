import EnvelopeFormat

/// Events in the shared container, one line of JSON each; of the oldest nothing is kept beyond the bound.
public final class TelemetryRing: Telemetry {
    /// Two files of at most so many bytes, and what comes while one takes the other's place.
    public static let fileByteLimit = 64 << 10
    /// The file that is written, and the one before it.
    public static let fileNames = ["telemetry.ndjson", "telemetry.1.ndjson"]
    private static let lock = "telemetry.lock"
    private let directory: ContainerDirectory

    public init(_ directory: ContainerDirectory) { self.directory = directory }

    public func record(_ event: TelemetryEvent, at time: Int64) {
        let line = TelemetryLine(event: event, time: time).bytes
        do throws(ContainerError) {
            if try byteCount() >= Self.fileByteLimit { try makeRoom() }
            // Where no room can be made, it ends somewhere all the same.
            guard try byteCount() < 2 * Self.fileByteLimit - line.count else { return }
            try directory.append(line, to: Self.fileNames[0])
        } catch {
            // Nobody waits for it.
        }
    }

    /// Nobody waits for whoever is at it.
    private func makeRoom() throws(ContainerError) {
        _ = try directory.ifUnlocked(Self.lock) { () throws(ContainerError) in
            // Whoever is second finds a file that is not full.
            if try byteCount() >= Self.fileByteLimit { try directory.rename(Self.fileNames[0], to: Self.fileNames[1]) }
        }
    }

    /// What is there, the oldest first; lines that are none are left out.
    public func lines() throws(ContainerError) -> [TelemetryLine] {
        var lines: [TelemetryLine] = []
        for name in Self.fileNames.reversed() {
            let bytes = try directory.read(name, atMost: 2 * Self.fileByteLimit) ?? []
            lines += TelemetryLine.lines(of: bytes)
        }
        return lines
    }

    private func byteCount() throws(ContainerError) -> Int { try directory.byteCount(of: Self.fileNames[0]) ?? 0 }
}
