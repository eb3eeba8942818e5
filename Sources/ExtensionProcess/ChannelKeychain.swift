import CryptoPrimitives
import EnvelopeFormat
import ExtensionChannel
import OpenerNSE
import Synchronization

/// The keychain of the simulated phone, asked over the channel. One question at a time, whichever thread asks.
final class ChannelKeychain: DeviceKeychain, ReplayRecord {
    private let channel: Mutex<MessageChannel>

    init(_ channel: MessageChannel) { self.channel = Mutex(channel) }

    /// Asks about anything, with no other question in between.
    func asking<Value>(_ body: (MessageChannel) throws(ChannelError) -> Value) throws(ChannelError) -> Value {
        try channel.withLock { channel throws(ChannelError) in try body(channel) }
    }

    private func records<Value>(
        _ body: (ChannelRecords) throws(KeychainUnavailable) -> Value
    ) throws(KeychainUnavailable) -> Value {
        try channel.withLock { channel throws(KeychainUnavailable) in try body(ChannelRecords(channel: channel)) }
    }

    func thumbprint() throws(KeychainUnavailable) -> DeviceThumbprint? {
        try records { records throws(KeychainUnavailable) in
            try records.ask(ChannelMessage("thumbprint")).json["thumbprint"]?.text.flatMap { DeviceThumbprint($0) }
        }
    }

    func deviceKey() throws(KeychainUnavailable) -> Held<P256.KeyAgreement.PrivateKey> {
        try records { records throws(KeychainUnavailable) in
            try records.held(ChannelMessage("deviceKey")) { try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }
        }
    }

    func enrollmentSecret() throws(KeychainUnavailable) -> Held<SymmetricKey> {
        // An extension accepts no bundles.
        throw KeychainUnavailable(reason: "the enrollment secret is for the app")
    }

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result {
        try records { records throws(KeychainUnavailable) in
            _ = try records.ask(ChannelMessage("update"))
            let result: Result
            let changes: [KeyChange]
            do throws(KeychainUnavailable) { (result, changes) = try body(records) } catch {
                _ = try records.ask(ChannelMessage("abandon"))
                throw error
            }
            _ = try records.ask(try ChannelMessage(changes: changes))
            return result
        }
    }

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] {
        try records { records throws(KeychainUnavailable) in try records.epochs(of: handle) }
    }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable)
        -> [HeldEpoch]
    {
        try records { records throws(KeychainUnavailable) in try records.epochs(in: conversation, algorithm) }
    }

    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        try records { records throws(KeychainUnavailable) in try records.secret(of: kid) }
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        try records { records throws(KeychainUnavailable) in try records.splitKeys() }
    }

    func lastSequence() throws(KeychainUnavailable) -> Int64? {
        try records { records throws(KeychainUnavailable) in try records.lastSequence() }
    }

    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool {
        try records { records throws(KeychainUnavailable) in try records.hasInstalled(digest: digest) }
    }

    func nextInstallation() throws(KeychainUnavailable) -> Int64 {
        try records { records throws(KeychainUnavailable) in try records.nextInstallation() }
    }

    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer {
        let question = ChannelMessage(
            "remember",
            [
                JSONMember("cid", .string(conversation.string)), JSONMember("jti", .string(message.description)),
                JSONMember("until", .integer(until)), JSONMember("now", .integer(now)),
            ])
        let answer = try? asking { channel throws(ChannelError) in try channel.ask(question) }
        return answer?.json["answer"]?.text.flatMap(ReplayAnswer.init(rawValue:)) ?? .unchecked
    }
}
