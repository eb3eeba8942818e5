package import EnvelopeFormat

extension JSONValue {
    /// An object of the members that have a value, in this order.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }

    /// An array with a value for each element.
    package static func list<Element>(_ elements: some Sequence<Element>, _ value: (Element) -> JSONValue) -> JSONValue {
        .array(elements.map(value))
    }
}
