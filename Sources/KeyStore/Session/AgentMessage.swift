/// One message to or from the agent: at most 1,024 bytes, in guarded memory because there may be a key in it.
///
/// Each is one datagram of a SOCK_SEQPACKET connection, so that there is nothing like half a message. The first byte is
/// the protocol's version, the second the operation or the status; texts have a byte of length before them.
///
///     put      1 'p' timeout(4, big-endian, 0 for none) text key     1 status
///     fetch    1 'f' text                                            1 status [key]
///     evict    1 'e' text...                                         1 status
struct AgentMessage {
    static let maximumByteCount = 1024
    static let version: UInt8 = 1

    enum Request {
        case put(String, timeout: UInt32, GuardedBytes)
        case fetch(String)
        case evict([String])
    }

    enum Status: UInt8 {
        case done = 0
        case absent = 1
        case notAdmitted = 2
        case malformed = 3
        case full = 4
    }

    let bytes: GuardedBytes

    init(_ bytes: GuardedBytes) { self.bytes = bytes }

    init(_ request: Request) throws(SodiumError) {
        switch request {
        case .put(let name, let timeout, let key):
            let seconds = (0..<4).map { UInt8(truncatingIfNeeded: timeout >> (24 - 8 * $0)) }
            try self.init([Self.version, UInt8(ascii: "p")] + seconds + Self.text(name), key)
        case .fetch(let name): try self.init([Self.version, UInt8(ascii: "f")] + Self.text(name), nil)
        case .evict(let names): try self.init([Self.version, UInt8(ascii: "e")] + names.flatMap(Self.text), nil)
        }
    }

    init(_ status: Status, _ key: GuardedBytes? = nil) throws(SodiumError) {
        try self.init([Self.version, status.rawValue], key)
    }

    private init(_ head: [UInt8], _ key: GuardedBytes?) throws(SodiumError) {
        let byteCount = head.count + (key?.count ?? 0)
        guard byteCount <= Self.maximumByteCount else { throw .wrongLength(of: "message", byteCount: byteCount) }
        bytes = try GuardedBytes(
            count: byteCount,
            filledBy: { (buffer) throws(SodiumError) in
                buffer.copyBytes(from: head)
                key?.withBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: $0) }
            })
    }

    /// The request; nil when it is malformed.
    func request() throws(SodiumError) -> Request? {
        try bytes.withBytes { (buffer) throws(SodiumError) -> Request? in
            guard buffer.count >= 2, buffer[0] == Self.version else { return nil }
            var rest = buffer[2...]
            switch buffer[1] {
            case UInt8(ascii: "p"):
                guard rest.count >= 4 else { return nil }
                let timeout = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                rest.removeFirst(4)
                guard let name = Self.takeText(&rest), 1...SessionPlace.maximumKeyByteCount ~= rest.count else {
                    return nil
                }
                return .put(name, timeout: timeout, try GuardedBytes(copying: UnsafeRawBufferPointer(rebasing: rest)))
            case UInt8(ascii: "f"):
                guard let name = Self.takeText(&rest), rest.isEmpty else { return nil }
                return .fetch(name)
            case UInt8(ascii: "e"):
                var names: [String] = []
                while !rest.isEmpty {
                    guard let name = Self.takeText(&rest) else { return nil }
                    names.append(name)
                }
                return .evict(names)
            default: return nil
            }
        }
    }

    /// The reply; nil when it is malformed.
    func reply() throws(SodiumError) -> (status: Status, key: GuardedBytes?)? {
        try bytes.withBytes { (buffer) throws(SodiumError) -> (status: Status, key: GuardedBytes?)? in
            guard buffer.count >= 2, buffer[0] == Self.version, let status = Status(rawValue: buffer[1]) else {
                return nil
            }
            guard buffer.count > 2 else { return (status, nil) }
            return (status, try GuardedBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[2...])))
        }
    }

    private static func text(_ string: String) -> [UInt8] {
        let letters = Array(string.utf8.prefix(255))
        return [UInt8(letters.count)] + letters
    }

    private static func takeText(_ rest: inout Slice<UnsafeRawBufferPointer>) -> String? {
        guard let count = rest.popFirst(), rest.count >= Int(count), count > 0 else { return nil }
        defer { rest.removeFirst(Int(count)) }
        return String(validating: rest.prefix(Int(count)), as: UTF8.self)
    }
}
