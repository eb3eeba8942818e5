/// A column that carries meaning: its name, and whether it stays as it is as long as the row's secret does.
///
/// What is fixed is bound to the secret itself, what is not to the row's seal.
struct Column: Sendable {
    let name: String
    let isFixed: Bool
    /// As it stands in what rows are sealed with.
    let encodedName: [UInt8]

    private init(name: String, isFixed: Bool) {
        self.name = name
        self.isFixed = isFixed
        encodedName = AssociatedData(name).bytes
    }

    static func fixed(_ name: String) -> Column { Column(name: name, isFixed: true) }
    static func changing(_ name: String) -> Column { Column(name: name, isFixed: false) }
}
