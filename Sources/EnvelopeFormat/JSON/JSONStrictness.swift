extension JSONValue {
    /// Whether the strict reader would take the value when it is written at most `containers` deep: what a caller puts
    /// together is held to what a device will hold it to.
    func isStrict(containers: Int) -> Bool {
        switch self {
        case .null, .bool, .string: return true
        case .number(let token): return (try? JSONReader.read(Array(token.utf8))) == .number(token)
        case .array(let values):
            return containers > 0 && values.allSatisfy { $0.isStrict(containers: containers - 1) }
        case .object(let members):
            var names = JSONNames()
            return containers > 0
                && members.allSatisfy { names.insert($0.name) && $0.value.isStrict(containers: containers - 1) }
        }
    }
}
