/// What a fixture could not be made for.
public struct FixtureFailure: Error {
    public let what: String
    public let code: Int32

    static func unwrapping<Value>(_ value: Value?, _ what: String) throws -> Value {
        guard let value else { throw FixtureFailure(what: what, code: 0) }
        return value
    }
}
