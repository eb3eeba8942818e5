/// A way to unlock a keybag.
struct SlotRow: Record {
    enum Kind: String, Sendable {
        case passphrase
        case keyFile = "key-file"
        /// A key file where a passcode was removed: there is no class key for what needs one.
        case keyFileWithoutPasscode = "key-file-without-passcode"

        /// The class keys there are in a slot of this kind.
        var classKeys: [ClassKeyName] {
            ClassKeyName.allCases.filter { self != .keyFileWithoutPasscode || $0 != .whenPasscodeSetThisDeviceOnly }
        }
    }

    static let table = Table.slot
    let identifier: String
    let kind: Kind
    /// 16 random bytes, for Argon2id.
    let salt: [UInt8]
    let passes: Int64?
    let memoryMiB: Int64?
    let created: Int64

    init(identifier: String, kind: Kind, salt: [UInt8], argon2id: Argon2idParameters?, created: Int64) {
        self.identifier = identifier
        self.kind = kind
        self.salt = salt
        passes = argon2id.map { Int64($0.passes) }
        memoryMiB = argon2id.map { Int64($0.memoryMiB) }
        self.created = created
    }

    /// The same for a key file in the place of a passcode that was removed.
    var withoutPasscode: SlotRow {
        SlotRow(identifier: identifier, kind: .keyFileWithoutPasscode, salt: salt, argon2id: nil, created: created)
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        self.identifier = identifier
        kind = try fields.word()
        salt = try fields.blob()
        passes = try fields.optionalInteger()
        memoryMiB = try fields.optionalInteger()
        created = try fields.integer()
    }

    var values: [FieldValue] {
        [.text(kind.rawValue), .blob(salt), FieldValue(passes), FieldValue(memoryMiB), .integer(created)]
    }
}
