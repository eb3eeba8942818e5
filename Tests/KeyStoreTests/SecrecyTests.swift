import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

@Suite struct SecrecyTests {
    /// Everything a person could print by mistake.
    private func printed(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        return text
    }

    @Test func whatHoldsASecretPrintsNothingOfIt() throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let phone = Phone()
        let chat = try ConversationIdentifier("chat-1")
        _ = try sealer.enroll(try phone.document(), now: 1)
        _ = try sealer.provision(chat, algorithm: .dir, members: [phone.thumbprint], now: 1)
        let state = try sealer.sealingState(chat, now: 1)
        guard case .conversation(let secret) = state.secret else { throw KeyStoreError(.damaged, "", "") }
        let bytes = secret.rawKey.withUnsafeBytes { Array($0) }
        let forms = [
            KeyStore.Hexadecimal.encode(bytes), Base64URL.encode(bytes), bytes.map { "\($0)" }.joined(separator: ", "),
        ]
        let record = HeldEpochRecord(
            conversation: chat, algorithm: .dir, kid: state.kid, accessible: .standard, installOrder: 1,
            secret: .value(secret))
        let passphrase = try Passphrase.of("hunter2")
        for value in [state, state.secret, record, scene.store, sealer, UnlockSecret.passphrase(passphrase)] as [Any] {
            let text = printed(value)
            for form in forms + ["hunter2"] { #expect(!text.contains(form), "\(type(of: value))") }
        }
    }

    @Test func noTypeOfASecretCanBeEncodedOrHashed() {
        let types: [Any.Type] = [
            SealingState.self, SealingState.Secret.self, HeldEpochRecord.self, SplitKeyRecord.self, UnlockSecret.self,
            Passphrase.self, GuardedBytes.self, Reading<SymmetricKey>.self, StoreConfiguration.self,
        ]
        for type in types {
            #expect(
                !(type is any Encodable.Type) && !(type is any Decodable.Type) && !(type is any Hashable.Type),
                "\(type)")
        }
    }

    @Test func errorsNameThingsAndNothingElse() throws {
        let error = KeyStoreError(.permission, "/s/store.sqlite", "mode 0644 is readable by others", hint: "chmod")
        #expect("\(error)" == "/s/store.sqlite: mode 0644 is readable by others")
    }

    @Test func aTransactionThatIsOverReadsNothing() throws {
        let scene = try Scene(.device)
        let device = try DeviceStore(scene.store)
        let kept = try device.transaction { (transaction) throws(KeyStoreError) in transaction }
        #expect(failure { _ = try kept.lastSequence() } == KeyStoreError(.refused, "transaction", "it is over"))
        #expect(failure { try kept.setSplitAllowed(true) }?.kind == .refused)
    }
}
