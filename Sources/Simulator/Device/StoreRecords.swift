import CryptoPrimitives
import EnvelopeFormat
import KeyStore
import OpenerNSE

/// The records of a device store inside one of its transactions, as the opener asks for them.
struct StoreRecords: KeychainRecords {
    let transaction: DeviceTransaction
    let trouble: StoreTrouble

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] {
        try asking { () throws(KeyStoreError) in try transaction.heldEpochs(handle: handle).map(\.epoch) }
    }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable)
        -> [HeldEpoch]
    {
        try asking { () throws(KeyStoreError) in
            try transaction.heldEpochs(conversation: conversation, algorithm: algorithm).map(\.epoch)
        }
    }

    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        let record = try asking { () throws(KeyStoreError) in
            try transaction.heldEpochs(handle: kid.handle).first { $0.kid == kid }
        }
        return try record?.secret.held(trouble) ?? .absent
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        var keys: [HeldSplitKey] = []
        // None while it cannot be said that they are allowed.
        guard try isSplitAllowed() else { return keys }
        for record in try asking({ () throws(KeyStoreError) in try transaction.splitKeys() }) {
            keys.append(HeldSplitKey(state: record.state, openUntil: record.until, key: try record.key.held(trouble)))
        }
        return keys
    }

    func lastSequence() throws(KeychainUnavailable) -> Int64? {
        try asking { () throws(KeyStoreError) in try transaction.lastSequence() }
    }

    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool {
        try asking { () throws(KeyStoreError) in try transaction.isInstalled(bundleDigest: digest) }
    }

    func nextInstallation() throws(KeychainUnavailable) -> Int64 {
        try asking { () throws(KeyStoreError) in try transaction.nextInstallOrder() }
    }

    func isSplitAllowed() throws(KeychainUnavailable) -> Bool {
        try asking { () throws(KeyStoreError) in try transaction.isSplitAllowed() }
    }

    /// Makes the changes; a failure of one undoes all with the transaction.
    func apply(_ changes: [KeyChange]) throws(KeyStoreError) {
        var sequence: Int64 = 0
        for change in changes {
            switch change {
            case .add(let epoch, let secret):
                try transaction.add(HeldEpochRecord(epoch), secret: secret)
            case .set(let kid, let state, let openUntil):
                try transaction.setState(state, of: kid)
                try transaction.setOpenUntil(openUntil, of: kid)
            case .lastSequence(let number):
                sequence = number
                try transaction.setLastSequence(number)
            case .installed(let digest):
                try transaction.rememberInstalled(bundleDigest: digest, sequence: sequence)
            }
        }
    }

    private func asking<Value>(_ body: () throws(KeyStoreError) -> Value) throws(KeychainUnavailable) -> Value {
        do { return try body() } catch { throw trouble.note(error) }
    }
}

extension Reading {
    /// The same answer in the opener's words.
    func held(_ trouble: StoreTrouble) throws(KeychainUnavailable) -> Held<Value> {
        switch self {
        case .value(let value): return .value(value)
        case .absent: return .absent
        case .locked: return .locked
        case .unavailable(let error): throw trouble.note(error)
        }
    }
}

extension HeldEpochRecord {
    var epoch: HeldEpoch {
        HeldEpoch(
            conversation: conversation, algorithm: algorithm, kid: kid, state: state, openUntil: openUntil,
            accessible: accessible, installation: installOrder)
    }

    init(_ epoch: HeldEpoch) {
        self.init(
            conversation: epoch.conversation, algorithm: epoch.algorithm, kid: epoch.kid, state: epoch.state,
            openUntil: epoch.openUntil, accessible: epoch.accessible, installOrder: epoch.installation)
    }
}
