internal import Glibc

/// Whose class keys they are: the store, the directory of its access group, and the unix group that shares it.
public struct SessionPlace: Equatable, Sendable {
    /// The number of bytes of a store's identifier.
    public static let storeIdentifierByteCount = 16

    /// The longest class key in bytes.
    public static let maximumKeyByteCount = 256

    /// The store's 16 bytes.
    public let storeIdentifier: [UInt8]

    /// The path of the access group's directory.
    public let directory: String

    /// The gid of the unix group that shares the store; nil when it is one user's own.
    public let group: UInt32?

    /// - Throws: ``SessionError/badInput(_:)`` unless the identifier has 16 bytes and there is a path.
    public init(storeIdentifier: [UInt8], directory: String, group: UInt32?) throws(SessionError) {
        guard storeIdentifier.count == Self.storeIdentifierByteCount else {
            throw .badInput("a store identifier of \(storeIdentifier.count) bytes")
        }
        guard !directory.isEmpty else { throw .badInput("no directory") }
        self.storeIdentifier = storeIdentifier
        self.directory = directory
        self.group = group
    }

    /// The kernel key's description: `waxwing:<store in hexadecimal>:<class>`.
    func keyDescription(_ name: String) -> String {
        let digits = Array("0123456789abcdef")
        let store = storeIdentifier.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "waxwing:\(String(store)):\(name)"
    }

    /// - Throws: ``SessionError/badInput(_:)`` unless it is 1 to 48 of `a`-`z`, `0`-`9`, `-`, `.`.
    static func check(name: String) throws(SessionError) {
        let isAccepted = name.utf8.allSatisfy { letter in
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isAccepted, 1...48 ~= name.utf8.count else { throw .badInput("a class key's name is not accepted") }
    }

    /// - Throws: ``SessionError/badInput(_:)`` unless name, length and timeout are accepted.
    static func check(_ key: GuardedBytes, name: String, timeout: Int?) throws(SessionError) {
        try check(name: name)
        guard 1...maximumKeyByteCount ~= key.count else { throw .badInput("a class key of \(key.count) bytes") }
        if let timeout, !(1...Int(Int32.max) ~= timeout) { throw .badInput("a timeout of \(timeout) seconds") }
    }
}
