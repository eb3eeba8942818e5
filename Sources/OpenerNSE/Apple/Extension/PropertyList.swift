internal import EnvelopeFormat
internal import Foundation

/// Between the dictionaries that the system hands over and takes, and JSON.
enum PropertyList {
    /// What stands under `encrypted_payload`. Of a dictionary only its strings matter; what else it has is there and is no string.
    static func sealed(_ userInfo: [AnyHashable: Any]) -> SealedMember {
        switch userInfo[PayloadName.sealed] {
        case nil: .absent
        case let text as String: .string(text)
        case let members as [AnyHashable: Any]:
            .object(
                members.map { name, value in
                    JSONMember(name as? String ?? "", (value as? String).map { .string($0) } ?? .null)
                }.sorted { $0.name < $1.name })
        default: .other
        }
    }

    /// The system keeps property lists alone, and they have no null: it is left out.
    static func userInfo(_ members: [JSONMember]) -> [AnyHashable: Any] {
        var values: [AnyHashable: Any] = [:]
        for member in members { values[member.name] = value(member.value) }
        return values
    }

    private static func value(_ json: JSONValue) -> Any? {
        switch json {
        case .null: nil
        case .bool(let value): value
        case .string(let text): text
        case .number(let token): number(token)
        case .array(let values): values.compactMap(value)
        case .object(let members): userInfo(members)
        }
    }

    /// A number too large for any type is left out.
    private static func number(_ token: String) -> Any? {
        if let whole = Int(token) { return whole }
        guard let value = Double(token), value.isFinite else { return nil }
        return value
    }
}
