/// One of the class keys of a name: they are counted from 1, and the highest is the one to wrap under.
struct ClassKeyVersion: Hashable, Sendable {
    let name: ClassKeyName
    let version: Int64

    init(_ name: ClassKeyName, _ version: Int64) {
        self.name = name
        self.version = version
    }

    /// Nil for what is no class key's name.
    init?(sessionName: String) {
        let parts = sessionName.split(separator: ".", omittingEmptySubsequences: false)
        guard let name = ClassKeyName.allCases.first(where: { $0.sessionName == parts[0] }),
            let version = parts.count == 1 ? 1 : Int64(parts[1])
        else { return nil }
        self.init(name, version)
        guard self.sessionName == sessionName else { return nil }
    }

    /// The one integrity key there ever is (docs/decisions/0014-class-key-versions.md).
    static let integrity = ClassKeyVersion(.integrity, 1)

    /// The rows whose secret is under it.
    var matches: [Match] { [.equal("class_key", name.rawValue), .equal("class_key_version", .integer(version))] }

    /// What session holders call it: the class's name, after the first with the number.
    var sessionName: String { version == 1 ? name.sessionName : "\(name.sessionName).\(version)" }
}

/// Class keys at hand.
typealias ClassKeys = [ClassKeyVersion: GuardedBytes]
