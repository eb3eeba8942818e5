import EnvelopeFormat
import Simulator

/// What a group of Wycheproof says of all its cases.
struct WycheproofGroup {
    private var members: [String: JSONValue] = [:]

    init(_ json: JSONOutline, _ group: Range<Int>) throws(FormatError) {
        for name in ["curve", "encoding", "publicKey", "keySize", "ivSize", "tagSize"] {
            guard let range = json.member(name, of: group) else { continue }
            members[name] = try json.value(range, maximumDepth: 8)
        }
    }

    subscript(_ name: String) -> JSONValue? { members[name] }

    /// The bytes of a case's member, which are as long as the group says, in bits.
    func bytes(_ name: String, of test: JSONValue, _ size: String) throws(FormatError) -> [UInt8] {
        let bytes = try test.bytes(name)
        guard let bits = members[size]?.plainInteger else { throw FormatError(field: size, reason: "missing or not a whole number") }
        guard bytes.count * 8 == bits else { throw FormatError(field: name, reason: "\(bytes.count * 8) bits where \(size) says \(bits)") }
        return bytes
    }
}
