import CryptoPrimitives
import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import Simulator
import Testing

/// What docs/threat-model.md says of who reads and who writes what, limits too, by what the sealer and phones have.
@Suite struct ThreatModelTests {
    private let backend: Backend
    private let phones: [ReceivingPhone]
    private let chat: ConversationIdentifier

    init() throws {
        let backend = try Backend()
        self.backend = backend
        phones = try ["one", "two"].map { try ReceivingPhone($0, with: backend.store) }
        chat = try ConversationIdentifier("kitchen-table")
    }

    private func provision(_ algorithm: KeyAlgorithm, to members: [ReceivingPhone]) throws {
        _ = try backend.store.provision(chat, algorithm: algorithm, members: members.map(\.thumbprint), now: Backend.start)
        for member in members { try member.acceptBundles(from: backend.store) }
    }

    private func seal(for phone: ReceivingPhone) throws -> [UInt8] {
        let request = try SealRequest(parsing: Array(#"{"conversation":"\#(chat)","body":"Meet me at the harbour"}"#.utf8))
        let pushes = try backend.sealer().seal(request, now: Backend.start)
        return try #require(pushes.first { $0.device == nil || $0.device == phone.thumbprint }).payload
    }

    /// What stands in the payload for whoever carries it.
    private func sealed(_ payload: [UInt8]) throws -> SealedPayload {
        let text = try #require(try JSONValue.parse(payload)["encrypted_payload"]?.text)
        return try SealedPayload(message: Array(text.utf8))
    }

    /// All that an intruder finds who has the store and its key.
    private func loot() throws -> (secret: ConversationSecret, kid: KeyIdentifier, members: [SealingState.Member]) {
        let state = try backend.store.sealingState(chat, now: Backend.start)
        guard case .conversation(let secret) = state.secret else { throw WorkerFailure("it is a split key") }
        return (secret, state.kid, state.members)
    }

    /// The key that a phone holds, and that whoever can take logarithms on the curve has too.
    private func deviceKey(of phone: ReceivingPhone) throws -> P256.KeyAgreement.PrivateKey {
        var key: P256.KeyAgreement.PrivateKey?
        try phone.change { key = $0.deviceKey().value }
        return try #require(key)
    }

    private func opens(
        _ payload: [UInt8], with secret: ConversationSecret, _ key: P256.KeyAgreement.PrivateKey? = nil
    ) throws -> Bool {
        do throws(Outcome) {
            switch try? sealed(payload) {
            case .dir(let envelope): _ = try envelope.open(with: secret.contentKey(in: chat))
            case .hpke7(let envelope):
                _ = try envelope.open(with: key ?? P256.KeyAgreement.PrivateKey(), presharedKey: secret.presharedKey(in: chat))
            case nil: throw .malformed
            }
            return true
        } catch {
            #expect(error == .notAuthentic)
            return false
        }
    }

    /// A message that nobody asked the sealer for.
    private func forge(
        _ body: String, under kid: KeyIdentifier, _ secret: ConversationSecret, for member: SealingState.Member?
    ) throws -> [UInt8] {
        let jti = try MessageIdentifier(bytes: try SystemRandomBytes.bytes(MessageIdentifier.byteCount))
        let claims = Array(#"{"jti":"\#(jti)","iat":\#(Backend.start),"sub":"\#(chat)","body":"\#(body)"}"#.utf8)
        var parts: [[UInt8]]
        let header: [UInt8]
        if let member {
            let name = PresharedKeyIdentifier.conversation(kid)
            header = HPKEEnvelope.encodedHeader(to: member.thumbprint, presharedKey: name)
            var sender = try HPKE.Sender(
                recipientKey: member.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(),
                presharedKey: secret.presharedKey(in: chat), presharedKeyIdentifier: Data(name.bytes))
            parts = [Array(sender.encapsulatedKey), [], Array(try sender.seal(Data(claims), authenticating: header)), []]
        } else {
            header = DirectEnvelope.encodedHeader(kid)
            let box = try AES.GCM.seal(claims, using: secret.contentKey(in: chat), nonce: AES.GCM.Nonce(), authenticating: header)
            parts = [[], Array(box.nonce), Array(box.ciphertext), Array(box.tag)]
        }
        let text = ([String(decoding: header, as: UTF8.self)] + parts.map { Base64URL.encode($0) }).joined(separator: ".")
        return Array(#"{"aps":{"alert":{"body":"N"},"mutable-content":1},"encrypted_payload":"\#(text)"}"#.utf8)
    }

    @Test func theBackendsSecretsOpenDir() throws {
        try provision(.dir, to: phones)
        #expect(try opens(try seal(for: phones[0]), with: try loot().secret))
    }

    /// The device key is on the phone alone.
    @Test func theBackendsSecretsDoNotOpenHPKE7() throws {
        try provision(.hpke7, to: phones)
        let (payload, secret) = (try seal(for: phones[0]), try loot().secret)
        #expect(try !opens(payload, with: secret))
        // Another member has the same secret and another key.
        #expect(try !opens(payload, with: secret, try deviceKey(of: phones[1])))
        #expect(try opens(payload, with: secret, try deviceKey(of: phones[0])))
    }

    /// What is left when the curve is broken: the conversation secret, without which the device key opens nothing.
    @Test func theDeviceKeyAloneOpensNothing() throws {
        try provision(.hpke7, to: phones)
        let (payload, key) = (try seal(for: phones[0]), try deviceKey(of: phones[0]))
        #expect(try !opens(payload, with: try ConversationSecret(SymmetricKey(size: .bits256)), key))
        // Of a bundle it is the enrollment secret, and that of another phone is none.
        _ = try backend.store.revoke(chat, now: Backend.start)
        let bundle = try #require(try backend.store.pendingBundles(for: phones[0].thumbprint, now: Backend.start).first)
        let envelope = try ProvisioningBundle.envelope(Array(bundle.bundle.utf8))
        var others: EnrollmentDocument?
        try phones[1].change { others = try $0.enrollmentDocument() }
        let secret = try #require(others).enrollmentSecret
        #expect(throws: Outcome.notAuthentic) {
            try ProvisioningBundle.open(envelope, with: key, enrollmentSecret: secret, now: Backend.start)
        }
    }

    /// With the device's key too, so that it is the secret that does not open.
    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func whatIsTakenNowOpensNothingEarlier(algorithm: KeyAlgorithm) throws {
        try provision(algorithm, to: phones)
        let (payload, key) = (try seal(for: phones[0]), try deviceKey(of: phones[0]))
        #expect(try opens(payload, with: try loot().secret, key))
        _ = try backend.store.ratchet(chat, now: Backend.start)
        var secret = try loot().secret
        for _ in 0..<512 {
            #expect(try !opens(payload, with: secret, key))
            secret = secret.next(in: chat)
        }
        // What is sealed from then on is another matter.
        #expect(try opens(try seal(for: phones[0]), with: try loot().secret, key))
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func whoWasRemovedOpensNothingSealedSince(algorithm: KeyAlgorithm) throws {
        try provision(algorithm, to: phones)
        var secret = try loot().secret
        _ = try backend.store.removeMember(phones[1].thumbprint, from: chat, now: Backend.start)
        try phones[0].acceptBundles(from: backend.store)
        let payload = try seal(for: phones[0])
        #expect(phones[1].open(payload).outcome == .unknownKey)
        for _ in 0..<512 {
            #expect(try !opens(payload, with: secret, try deviceKey(of: phones[1])))
            secret = secret.next(in: chat)
        }
        #expect(phones[0].open(payload).outcome == .opened)
    }

    /// Who comes later reads what was sealed under the epoch he was given, if he was handed it, and nothing of the one before.
    @Test func whoIsAddedOpensTheEpochOfThatMoment() throws {
        try provision(.dir, to: [phones[0]])
        let earlier = try seal(for: phones[0])
        _ = try backend.store.ratchet(chat, now: Backend.start)
        let same = try seal(for: phones[0])
        _ = try backend.store.addMember(phones[1].thumbprint, to: chat, now: Backend.start)
        try phones[1].acceptBundles(from: backend.store)
        #expect(phones[1].open(earlier).outcome == .unknownKey)
        #expect(phones[1].open(same).outcome == .opened)
    }

    /// A secret that leaked writes to a phone until 35 days after that has gone over, or until it is told.
    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func whoHoldsASecretWritesUntilThePhoneHasGoneOver(algorithm: KeyAlgorithm) throws {
        try provision(algorithm, to: phones)
        let (secret, kid, members) = try loot()
        let member = algorithm == .dir ? nil : members.first { $0.thumbprint == phones[0].thumbprint }
        func forged() throws -> [UInt8] { try forge("F", under: kid, secret, for: member) }
        _ = try backend.store.revoke(chat, now: Backend.start)
        for phone in phones { try phone.acceptBundles(from: backend.store) }
        #expect(phones[0].open(try forged()).outcome == .opened)
        #expect(phones[0].open(try seal(for: phones[0])).outcome == .opened)
        let end = Backend.start + 35 * 86_400
        #expect(phones[0].open(try forged()).outcome == .opened)
        #expect(phones[0].open(try forged(), now: end + 1).outcome == .keyRetired)
        // The phone that is told takes none from then on.
        try phones[1].change { try $0.revoke(chat, handle: kid.handle, now: Backend.start) }
        let other = algorithm == .dir ? nil : members.first { $0.thumbprint == phones[1].thumbprint }
        #expect(phones[1].open(try forge("F", under: kid, secret, for: other)).outcome == .keyRevoked)
        #expect(phones[1].open(try seal(for: phones[1])).outcome == .opened)
    }

    /// Of one that opened, one that waits for an unlock and one without a key: the files that app and extension share.
    @Test func nothingOfAMessageIsInTheContainerInAProcessOfItsOwn() throws {
        _ = try backend.store.provision(
            chat, algorithm: .hpke7, members: phones.map(\.thumbprint), accessible: .whenUnlocked, now: Backend.start)
        let phone = phones[0]
        let early = try phone.receive(try seal(for: phone))
        try phone.acceptBundles(from: backend.store)
        let opened = try phone.receive(try seal(for: phone))
        try phone.lock()
        let waiting = try phone.receive(try seal(for: phone))
        #expect([early, opened, waiting].map(\.shown?.outcome) == [.unknownKey, .opened, .keyLocked])
        let (secret, kid, _) = try loot()
        try phone.unlock()
        let keys = [
            secret.rawKey, secret.presharedKey(in: chat), secret.contentKey(in: chat),
            SymmetricKey(data: try deviceKey(of: phone).rawRepresentation),
        ]
        var told = [Array("harbour".utf8), Array(chat.string.utf8)]
        for key in keys.map({ key in key.withUnsafeBytes { Array($0) } }) { told += [key, Array(Base64URL.encode(key).utf8)] }
        let names = try #require(FileManager.default.subpaths(atPath: phone.container))
        var all: [UInt8] = []
        for name in names where !name.isEmpty {
            all +=
                Array(name.utf8) + [0] + ((try? Data(contentsOf: URL(fileURLWithPath: phone.container + "/" + name))).map(Array.init) ?? [])
        }
        for secret in told { #expect(Data(all).firstRange(of: Data(secret)) == nil) }
        // That it was looked for where something is.
        #expect(Data(all).firstRange(of: Data(kid.description.utf8)) != nil)
    }
}
