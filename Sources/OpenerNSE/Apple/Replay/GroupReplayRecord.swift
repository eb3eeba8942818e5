internal import EnvelopeFormat
internal import OpenerNSE
internal import os

/// The messages a phone has opened, in a file that app and extension share.
///
/// A file that is lost or damaged is not an empty one: until everything that was sealed before has ended, messages are shown
/// and marked as not checked.
struct GroupReplayRecord: ReplayRecord {
    static let file = "replays.bin"
    static let lock = "replays.lock"
    private let directory: ContainerDirectory?
    private let log: Logger

    /// - Parameter directory: in the container of the App Group; nil where there is none, and nothing can be checked.
    init(_ directory: ContainerDirectory?, log: Logger) {
        self.directory = directory
        self.log = log
    }

    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer {
        let entry = ReplayEntry(conversation, message, until: until)
        do throws(ContainerError) {
            let answer = try directory?.whileLocked(Self.lock) { () throws(ContainerError) -> ReplayAnswer in
                var file = try read(now: now)
                let answer = file.remember(entry, now: now)
                if answer != .seen { try directory?.replace(Self.file, with: file.bytes) }
                return answer
            }
            return answer ?? .unchecked
        } catch {
            log.error("replay record: \(error.description, privacy: .public)")
            return .unchecked
        }
    }

    /// Begins the record of a device that has opened nothing yet; one that is there stays.
    func begin() throws(ContainerError) {
        try directory?.whileLocked(Self.lock) { () throws(ContainerError) in
            guard try directory?.byteCount(of: Self.file) == nil else { return }
            try directory?.replace(Self.file, with: ReplayFile().bytes)
        }
    }

    private func read(now: Int64) throws(ContainerError) -> ReplayFile {
        let bytes: [UInt8]?
        do throws(ContainerError) { bytes = try directory?.read(Self.file, atMost: ReplayFile.byteLimit) } catch {
            guard error.isTooLarge else { throw error }
            log.error("replay record: it is too large, and begins anew")
            return ReplayFile(lostAt: now)
        }
        guard let bytes else {
            log.error("replay record: it is not there, and begins anew")
            return ReplayFile(lostAt: now)
        }
        guard let file = ReplayFile(bytes) else {
            log.error("replay record: it is damaged, and begins anew")
            return ReplayFile(lostAt: now)
        }
        return file
    }
}
