/// The kinds of record, with their columns in order; the migrations make the same tables, and a test compares them.
///
/// They are numbers, as rows are many: a dictionary would hash a word each time.
enum Table: Int, Sendable, CaseIterable {
    // Of every store.
    case store, slot, classKey, digest, anchor, serviceKey, auditLog, auditEntry

    // Of a sealer store.
    case device, sequence, conversation, conversationSecret, lease, member, bundle, handleUse, rotationRun, replacement

    // Of a device store.
    case identity, deviceState, heldEpoch, installedBundle, replay, splitKey, item

    /// Whether rows of this kind hold a secret under a class key.
    var carriesSecret: Bool {
        switch self {
        case .anchor, .serviceKey, .auditLog, .device, .conversationSecret, .identity, .heldEpoch, .splitKey, .item:
            true
        default: false
        }
    }

    /// What it is called at rest.
    var name: String { Self.layouts[rawValue].name }

    /// The columns that carry meaning, beside the row's name, version, secret and seal.
    var columns: [Column] { Self.layouts[rawValue].columns }

    private static let layouts = allCases.map(\.layout)

    private var layout: TableLayout {
        switch self {
        case .store:
            TableLayout(
                "store", .fixed("role"), .fixed("access_group"), .fixed("created"), .changing("key_file"),
                .fixed("unix_group"), .fixed("owner"), .changing("defaults"), .changing("stopped"))
        case .slot:
            TableLayout(
                "slot", .fixed("kind"), .fixed("salt"), .fixed("passes"), .fixed("memory_mib"), .fixed("created"))
        case .classKey: TableLayout("class_key", .fixed("slot"), .fixed("name"), .fixed("key_version"), .fixed("wrap"))
        case .digest: TableLayout("digest", .changing("count"), .changing("sum"))
        case .anchor:
            TableLayout(
                "anchor", .fixed("path"), .changing("number"), .changing("mark"), .changing("former_mark"))
        case .serviceKey: TableLayout("service_key", .fixed("created"))
        case .auditLog:
            TableLayout(
                "audit_log", .fixed("log"), .fixed("created"), .fixed("checkpoint_key"), .changing("entries"),
                .changing("head"))
        case .auditEntry:
            TableLayout(
                "audit_entry", .fixed("at"), .fixed("uid"), .fixed("pid"), .fixed("token"), .fixed("operation"),
                .fixed("subject"), .fixed("kid"), .fixed("result"), .fixed("reason"), .fixed("previous"),
                .fixed("mac"))
        case .device:
            TableLayout(
                "device", .changing("name"), .fixed("public_key"), .fixed("enrolled"), .changing("removing"))
        case .sequence: TableLayout("sequence", .changing("last"))
        case .conversation:
            TableLayout(
                "conversation", .fixed("algorithm"), .fixed("accessible"), .fixed("created"), .changing("until"),
                .changing("maximum_age"))
        case .conversationSecret:
            TableLayout(
                "conversation_secret", .fixed("conversation"), .fixed("algorithm"), .changing("state"),
                .fixed("epoch"), .fixed("created"), .changing("activated"), .changing("epoch_started"),
                .changing("deactivated"), .changing("open_until"), .changing("promote_at"), .changing("leased"),
                .fixed("name"))
        case .lease:
            TableLayout(
                "lease", .fixed("kid"), .fixed("first"), .fixed("count"), .fixed("granted_at"), .fixed("uid"),
                .fixed("pid"))
        case .member:
            TableLayout(
                "member", .fixed("conversation"), .fixed("device"), .fixed("added"), .changing("acknowledged"))
        case .bundle:
            TableLayout(
                "bundle", .fixed("device"), .fixed("sequence"), .fixed("conversation"), .fixed("handle"),
                .fixed("epoch"), .fixed("issued"), .fixed("expires"), .changing("state"), .changing("content"))
        case .handleUse: TableLayout("handle_use", .changing("last_use"))
        case .rotationRun:
            TableLayout(
                "rotation_run", .fixed("run"), .fixed("older_than"), .fixed("promote_after"), .fixed("started"),
                .changing("last_conversation"))
        case .replacement: TableLayout("replacement", .fixed("successor"))
        case .identity:
            TableLayout(
                "identity", .fixed("thumbprint"), .fixed("name"), .fixed("public_key"), .fixed("created"))
        case .deviceState:
            TableLayout(
                "device_state", .changing("last_sequence"), .changing("next_order"), .changing("replay_floor"),
                .changing("split_allowed"))
        case .heldEpoch:
            TableLayout(
                "held_epoch", .fixed("conversation"), .fixed("algorithm"), .fixed("handle"), .fixed("epoch"),
                .fixed("accessible"), .changing("state"), .changing("open_until"), .fixed("install_order"),
                .fixed("added"))
        case .installedBundle: TableLayout("installed_bundle", .fixed("sequence"), .fixed("installed"))
        case .replay: TableLayout("replay", .fixed("conversation"), .fixed("until"))
        case .splitKey:
            TableLayout(
                "split_key", .fixed("conversation"), .changing("state"), .fixed("until"), .fixed("install_order"))
        case .item:
            TableLayout(
                "item", .fixed("service"), .fixed("account"), .changing("label"), .fixed("created"),
                .changing("modified"))
        }
    }
}
