import EnvelopeFormat

/// A file in the shared container in which the extension leaves for the app that bundles are needed. It never makes keys itself.
public final class BundleNotes: Sendable {
    /// The most keys that are told of; further ones are not, until the app has taken the notes.
    public static let limit = 64
    private static let file = "bundle-needed.json"
    private static let lock = "bundle-needed.lock"
    private static let byteLimit = 64 << 10
    /// What JSON tells exactly everywhere.
    private static let largestCount: Int64 = 1 << 53 - 1
    private let directory: ContainerDirectory

    public init(_ directory: ContainerDirectory) { self.directory = directory }

    func add(_ kid: KeyIdentifier?, at time: Int64) {
        try? directory.whileLocked(Self.lock) { () throws(ContainerError) in
            var notes = try read()
            if let index = notes.firstIndex(where: { $0.kid == kid }) {
                notes[index].last = max(notes[index].last, time)
                notes[index].count = min(notes[index].count + 1, Self.largestCount)
            } else if notes.count < Self.limit {
                notes.append(BundleNote(kid: kid, first: time, last: time, count: 1))
            } else {
                return
            }
            try directory.replace(Self.file, with: Self.json(notes).write())
        }
    }

    /// The notes, which are gone then: the app calls it when it has come to fetch bundles.
    public func take() throws(ContainerError) -> [BundleNote] {
        try directory.whileLocked(Self.lock) { () throws(ContainerError) in
            let notes = try read()
            try directory.remove(Self.file)
            return notes
        }
    }

    /// What cannot be read as notes is as good as none.
    private func read() throws(ContainerError) -> [BundleNote] {
        let bytes: [UInt8]?
        do throws(ContainerError) { bytes = try directory.read(Self.file, atMost: Self.byteLimit) } catch {
            guard error.isTooLarge else { throw error }
            return []
        }
        guard let bytes, let json = try? JSONValue.parse(bytes), case .array(let values)? = json["bundle_needed"] else { return [] }
        return values.compactMap { value in
            guard let first = value["first"]?.plainInteger, let last = value["last"]?.plainInteger,
                let count = value["count"]?.plainInteger
            else { return nil }
            let kid = value["kid"]?.text.flatMap { KeyIdentifier($0) }
            return BundleNote(kid: kid, first: first, last: last, count: count)
        }
    }

    private static func json(_ notes: [BundleNote]) -> JSONValue {
        let values = notes.map { note in
            JSONValue.object([
                JSONMember("kid", note.kid.map { .string($0.description) } ?? .null), JSONMember("first", .integer(note.first)),
                JSONMember("last", .integer(note.last)), JSONMember("count", .integer(note.count)),
            ])
        }
        return .object([JSONMember("bundle_needed", .array(values))])
    }
}
