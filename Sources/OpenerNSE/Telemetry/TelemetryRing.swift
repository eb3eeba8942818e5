import EnvelopeFormat

/// Events in the shared container, one line of JSON each; of the oldest nothing is kept beyond the bound.
public final class TelemetryRing: Telemetry {
    /// Two files of at most so many bytes, and one line more.
    public static let fileByteLimit = 64 << 10
    /// The file that is written, and the one before it.
    public static let fileNames = ["telemetry.ndjson", "telemetry.1.ndjson"]
    private static let lock = "telemetry.lock"
    private let directory: ContainerDirectory

    public init(_ directory: ContainerDirectory) { self.directory = directory }

    public func record(_ event: TelemetryEvent, at time: Int64) {
        let line = TelemetryLine(event: event, time: time).bytes
        do throws(ContainerError) {
            try directory.append(line, to: Self.fileNames[0])
            guard try isFull() else { return }
            // Whoever is second finds a file that is not full.
            _ = try directory.ifUnlocked(Self.lock) { () throws(ContainerError) in
                if try isFull() { try directory.rename(Self.fileNames[0], to: Self.fileNames[1]) }
            }
        } catch {
            // Nobody waits for it.
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

    private func isFull() throws(ContainerError) -> Bool {
        try directory.byteCount(of: Self.fileNames[0]) ?? 0 >= Self.fileByteLimit
    }
}
