/// One of the class keys of a name: they are counted from 1, and the highest is the one to wrap under.
struct ClassKeyVersion: Hashable, Sendable {
    let name: ClassKeyName
    let version: Int64

    init(_ name: ClassKeyName, _ version: Int64) {
        self.name = name
        self.version = version
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
