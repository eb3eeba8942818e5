/// The kinds of record, with their columns in order; the migrations make the same tables, and a test compares them.
enum Table: String, Sendable, CaseIterable {
    // Of every store.
    case store, slot
    case classKey = "class_key"
    case digest, anchor
    case serviceKey = "service_key"
    case auditLog = "audit_log"
    case auditEntry = "audit_entry"

    // Of a sealer store.
    case device, sequence, conversation
    case conversationSecret = "conversation_secret"
    case lease, member, bundle
    case handleUse = "handle_use"
    case rotationRun = "rotation_run"
    case replacement

    // Of a device store.
    case identity
    case deviceState = "device_state"
    case heldEpoch = "held_epoch"
    case installedBundle = "installed_bundle"
    case replay
    case splitKey = "split_key"
    case item

    /// Whether rows of this kind hold a secret under a class key.
    var carriesSecret: Bool {
        switch self {
        case .anchor, .serviceKey, .auditLog, .device, .conversationSecret, .identity, .heldEpoch, .splitKey, .item:
            true
        default: false
        }
    }

    /// The columns that carry meaning, beside the row's name, version, secret and seal.
    var columns: [Column] { Self.layout[self] ?? [] }

    private static let layout: [Table: [Column]] = [
        .store: [
            .fixed("role"), .fixed("access_group"), .fixed("created"), .changing("key_file"), .fixed("unix_group"),
            .fixed("owner"), .changing("defaults"), .changing("stopped"),
        ],
        .slot: [.fixed("kind"), .fixed("salt"), .fixed("passes"), .fixed("memory_mib"), .fixed("created")],
        .classKey: [.fixed("slot"), .fixed("name"), .fixed("key_version"), .fixed("wrap")],
        .digest: [.changing("count"), .changing("sum")],
        .anchor: [.fixed("path"), .changing("number"), .changing("mark"), .changing("former_mark")],
        .serviceKey: [.fixed("created")],
        .auditLog: [
            .fixed("log"), .fixed("created"), .fixed("checkpoint_key"), .changing("entries"), .changing("head"),
        ],
        .auditEntry: [
            .fixed("at"), .fixed("uid"), .fixed("pid"), .fixed("token"), .fixed("operation"), .fixed("subject"),
            .fixed("kid"), .fixed("result"), .fixed("reason"), .fixed("previous"), .fixed("mac"),
        ],
        .device: [.changing("name"), .fixed("public_key"), .fixed("enrolled"), .changing("removing")],
        .sequence: [.changing("last")],
        .conversation: [
            .fixed("algorithm"), .fixed("accessible"), .fixed("created"), .changing("until"), .changing("maximum_age"),
        ],
        .conversationSecret: [
            .fixed("conversation"), .fixed("algorithm"), .changing("state"), .fixed("epoch"), .fixed("created"),
            .changing("activated"), .changing("epoch_started"), .changing("deactivated"), .changing("open_until"),
            .changing("promote_at"), .changing("leased"), .fixed("name"),
        ],
        .lease: [
            .fixed("kid"), .fixed("first"), .fixed("count"), .fixed("granted_at"), .fixed("uid"), .fixed("pid"),
        ],
        .member: [.fixed("conversation"), .fixed("device"), .fixed("added"), .changing("acknowledged")],
        .bundle: [
            .fixed("device"), .fixed("sequence"), .fixed("conversation"), .fixed("handle"), .fixed("epoch"),
            .fixed("issued"), .fixed("expires"), .changing("state"), .changing("content"),
        ],
        .handleUse: [.changing("last_use")],
        .rotationRun: [
            .fixed("run"), .fixed("older_than"), .fixed("promote_after"), .fixed("started"),
            .changing("last_conversation"),
        ],
        .replacement: [.fixed("successor")],
        .identity: [.fixed("thumbprint"), .fixed("name"), .fixed("public_key"), .fixed("created")],
        .deviceState: [
            .changing("last_sequence"), .changing("next_order"), .changing("replay_floor"), .changing("split_allowed"),
        ],
        .heldEpoch: [
            .fixed("conversation"), .fixed("algorithm"), .fixed("handle"), .fixed("epoch"), .fixed("accessible"),
            .changing("state"), .changing("open_until"), .fixed("install_order"), .fixed("added"),
        ],
        .installedBundle: [.fixed("sequence"), .fixed("installed")],
        .replay: [.fixed("conversation"), .fixed("until")],
        .splitKey: [.fixed("conversation"), .changing("state"), .fixed("until"), .fixed("install_order")],
        .item: [
            .fixed("service"), .fixed("account"), .changing("label"), .fixed("created"), .changing("modified"),
        ],
    ]
}
