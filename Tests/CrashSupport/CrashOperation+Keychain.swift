import CryptoPrimitives
import EnvelopeFormat
import KeyStore

extension CrashOperation {
    static let keychain = [
        CrashOperation(
            "item",
            [
                .act(again: .alreadyExists) { try $0.addItem("mail", .whenUnlocked) },
                .act { scene in
                    try scene.keychain(0).update(
                        service: CrashScene.service, account: "mail", value: CrashScene.value(2), label: "second",
                        now: scene.now)
                },
                .act { scene in
                    try scene.keychain(0).setAccessibility(
                        .afterFirstUnlockThisDeviceOnly, service: CrashScene.service, account: "mail", now: scene.now)
                },
                .act(again: .notFound) { scene in
                    try scene.keychain(0).delete(service: CrashScene.service, account: "mail")
                },
            ]),
        CrashOperation(
            "key-class",
            [
                .act { scene in
                    try scene.keychain(0).setAccessibility(
                        .whenUnlocked, of: try scene.conversation(CrashScene.direct), now: scene.now)
                },
                .act { try $0.keychain(0).setIdentityAccessibility(.whenUnlockedThisDeviceOnly, now: $0.now) },
            ]),
    ]
}

extension CrashScene {
    static let service = "crash"

    func keychain(_ number: Int) throws -> Keychain { try Keychain(try phone(number).store) }

    /// A value that can be told from others.
    static func value(_ number: UInt8) -> SymmetricKey {
        SymmetricKey(data: [UInt8](repeating: number, count: 40))
    }

    func addItem(_ account: String, _ accessible: AccessibilityClass) throws {
        try keychain(0).add(
            service: Self.service, account: account, value: Self.value(1), accessible: accessible, label: "first", now: now)
    }
}
