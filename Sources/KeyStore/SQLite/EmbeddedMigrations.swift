// Made by scripts/embed-migrations from migrations/sqlite. Not edited by hand.

/// The migrations of the SQLite engine, in order, as they are in `migrations/sqlite`.
enum EmbeddedMigrations {
    static let all: [Migration] = [
        Migration(
            version: 1, name: "records",
            sql: #"""
                -- The records of a key store. Every row ends in `sealed`: nonce and tag that authenticate all of it
                -- (docs/decisions/0004-sealed-rows.md). Rows with a secret hold it wrapped: class key, item key, value.

                -- Not sealed, as it says nothing about keys: the number of the last commit that changed them, and that of the last
                -- deletion of secrets whose bytes may still be in the files, or 0.
                CREATE TABLE housekeeping (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    generation INTEGER NOT NULL,
                    erasure_pending INTEGER NOT NULL
                ) STRICT;
                INSERT INTO housekeeping (id, generation, erasure_pending) VALUES (1, 1, 0);

                -- The store itself, one row.
                CREATE TABLE store (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    role TEXT NOT NULL,
                    access_group TEXT NOT NULL,
                    created INTEGER NOT NULL,
                    key_file TEXT,
                    unix_group INTEGER,
                    owner INTEGER NOT NULL,
                    defaults BLOB NOT NULL,
                    stopped INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- A way to unlock: key file or passphrase.
                CREATE TABLE slot (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    salt BLOB NOT NULL,
                    passes INTEGER,
                    memory_mib INTEGER,
                    created INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- A class key wrapped under a slot's key-encryption key.
                CREATE TABLE class_key (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    slot TEXT NOT NULL REFERENCES slot (id),
                    name TEXT NOT NULL,
                    key_version INTEGER NOT NULL,
                    wrap BLOB NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Keys of the backend's own, by purpose.
                CREATE TABLE service_key (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    created INTEGER NOT NULL,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Enrolled devices by thumbprint; the secret is the enrollment secret.
                CREATE TABLE device (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    public_key BLOB NOT NULL,
                    enrolled INTEGER NOT NULL,
                    removing INTEGER NOT NULL,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- The last bundle sequence number of a thumbprint; outlives the device's enrollment.
                CREATE TABLE sequence (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    last INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Conversations by name.
                CREATE TABLE conversation (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    algorithm TEXT NOT NULL,
                    accessible TEXT NOT NULL,
                    created INTEGER NOT NULL,
                    until INTEGER,
                    maximum_age INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Handles of a conversation; the secret is that of the newest epoch, and `leased` its seal counter.
                CREATE TABLE conversation_secret (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    conversation TEXT NOT NULL REFERENCES conversation (id),
                    algorithm TEXT NOT NULL,
                    state TEXT NOT NULL,
                    epoch INTEGER NOT NULL,
                    created INTEGER NOT NULL,
                    activated INTEGER,
                    epoch_started INTEGER,
                    deactivated INTEGER,
                    open_until INTEGER,
                    promote_at INTEGER,
                    leased INTEGER NOT NULL,
                    name TEXT,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Seals leased to one process: numbers `first` to `first + count - 1` under that kid, which nobody else was or
                -- will be given. Gone with the epoch; the total is in the handle's row.
                CREATE TABLE lease (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    kid TEXT NOT NULL,
                    first INTEGER NOT NULL,
                    count INTEGER NOT NULL,
                    granted_at INTEGER NOT NULL,
                    uid INTEGER NOT NULL,
                    pid INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Which device is in which conversation, and the kid it acknowledged last.
                CREATE TABLE member (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    conversation TEXT NOT NULL REFERENCES conversation (id),
                    device TEXT NOT NULL REFERENCES device (id),
                    added INTEGER NOT NULL,
                    acknowledged TEXT,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Provisioning bundles; the ciphertext stays until it is acknowledged or withdrawn.
                CREATE TABLE bundle (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    device TEXT NOT NULL,
                    sequence INTEGER NOT NULL,
                    conversation TEXT NOT NULL,
                    handle TEXT NOT NULL,
                    epoch INTEGER NOT NULL,
                    issued INTEGER NOT NULL,
                    expires INTEGER NOT NULL,
                    state TEXT NOT NULL,
                    content BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- The device's own key and enrollment secret.
                CREATE TABLE identity (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    thumbprint TEXT NOT NULL,
                    name TEXT NOT NULL,
                    public_key BLOB NOT NULL,
                    created INTEGER NOT NULL,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Counters of an emulated device, one row.
                CREATE TABLE device_state (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    last_sequence INTEGER NOT NULL,
                    next_order INTEGER NOT NULL,
                    replay_floor INTEGER,
                    split_allowed INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Epochs a device holds, by kid.
                CREATE TABLE held_epoch (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    conversation TEXT NOT NULL,
                    algorithm TEXT NOT NULL,
                    handle TEXT NOT NULL,
                    epoch INTEGER NOT NULL,
                    accessible TEXT NOT NULL,
                    state TEXT NOT NULL,
                    open_until INTEGER,
                    install_order INTEGER NOT NULL,
                    added INTEGER NOT NULL,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Digests of the bundles a device installed.
                CREATE TABLE installed_bundle (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    installed INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Messages a device has opened, until their expiry bound.
                CREATE TABLE replay (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    conversation TEXT NOT NULL,
                    until INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Keys of the split profile a device holds.
                CREATE TABLE split_key (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    conversation TEXT NOT NULL,
                    state TEXT NOT NULL,
                    until INTEGER NOT NULL,
                    install_order INTEGER NOT NULL,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- An index for each way rows are asked for, so that nothing but a verification or a count reads a table through. All
                -- columns asked for are in it: one with fewer that gives the order by name for nothing would be preferred.
                CREATE INDEX class_key_by_name ON class_key (name);
                CREATE INDEX conversation_secret_by_conversation ON conversation_secret (conversation);
                CREATE INDEX lease_by_kid ON lease (kid);
                CREATE INDEX member_by_conversation ON member (conversation);
                CREATE INDEX member_by_device ON member (device);
                CREATE INDEX bundle_by_device ON bundle (device, state, sequence);
                CREATE INDEX bundle_by_conversation ON bundle (conversation, device, state);
                CREATE INDEX bundle_by_handle ON bundle (handle, state);
                CREATE INDEX bundle_by_handle_and_device ON bundle (handle, device, state);
                CREATE INDEX bundle_by_state ON bundle (state, issued);
                CREATE INDEX held_epoch_by_conversation ON held_epoch (conversation);
                CREATE INDEX held_epoch_by_handle ON held_epoch (handle);
                CREATE INDEX replay_by_until ON replay (until);

                """#),
        Migration(
            version: 2, name: "audit",
            sql: #"""
                -- What was done with keys, and by whom (docs/spec/audit.md). Entries are only ever added.

                -- Where the log stands, one row: how many entries there are, the hash of the last, and as its secret the key of the
                -- next entry's MAC. What its fixed half says is what the key file of `init --audit-key` says, but for the start key.
                CREATE TABLE audit_log (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    log TEXT NOT NULL,
                    created INTEGER NOT NULL,
                    checkpoint_key BLOB NOT NULL,
                    entries INTEGER NOT NULL,
                    head BLOB NOT NULL,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- Entries by their number in 16 digits.
                CREATE TABLE audit_entry (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    at INTEGER NOT NULL,
                    uid INTEGER NOT NULL,
                    pid INTEGER NOT NULL,
                    token TEXT,
                    operation TEXT NOT NULL,
                    subject TEXT NOT NULL,
                    kid TEXT,
                    result TEXT NOT NULL,
                    reason TEXT,
                    previous BLOB NOT NULL,
                    mac BLOB NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- What was done with one conversation, in order.
                CREATE INDEX audit_entry_by_subject ON audit_entry (subject);

                """#),
        Migration(
            version: 3, name: "digest",
            sql: #"""
                -- A digest over all rows: of each table in sixteen shards, named `table/0` to `table/15`, how many rows there are and the
                -- sum of their keyed digests, wrapped; in `root` the same of the shards, with the key (docs/decisions/0011-digest-and-anchor.md).
                CREATE TABLE digest (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    count INTEGER NOT NULL,
                    sum BLOB NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- What tells that the whole store was put back: the file that is the store's anchor, the number of the last commit that
                -- changed keys, and its random mark, with that of the one before. The secret is the key of the file's MAC.
                CREATE TABLE anchor (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    path TEXT NOT NULL,
                    number INTEGER NOT NULL,
                    mark BLOB NOT NULL,
                    former_mark BLOB,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                """#),
        Migration(
            version: 4, name: "item",
            sql: #"""
                -- Generic passwords of a device's keychain. The name is made of service and account; the class is that of the wrapped
                -- value, which is there as long as the row.
                CREATE TABLE item (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    service TEXT NOT NULL,
                    account TEXT NOT NULL,
                    label TEXT NOT NULL,
                    created INTEGER NOT NULL,
                    modified INTEGER NOT NULL,
                    class_key TEXT,
                    class_key_version INTEGER,
                    item_key BLOB,
                    value BLOB,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX item_by_service ON item (service);

                """#),
        Migration(
            version: 5, name: "use",
            sql: #"""
                -- When a handle was used last, for the census: what was sealed under it may wait at a push service for 30 days. The row
                -- comes with the first lease under the handle, or with its end; no time in it then says that nothing was sealed.
                CREATE TABLE handle_use (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    last_use INTEGER,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- How far a rotation of all conversations has come, one row a kind; gone when it is complete.
                CREATE TABLE rotation_run (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    run TEXT NOT NULL,
                    older_than INTEGER,
                    promote_after INTEGER,
                    started INTEGER NOT NULL,
                    last_conversation TEXT,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;

                -- By the device that is being replaced, or was, the one that takes its place; gone when that device is enrolled again.
                CREATE TABLE replacement (
                    id TEXT PRIMARY KEY NOT NULL,
                    version INTEGER NOT NULL,
                    successor TEXT NOT NULL,
                    sealed BLOB NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX replacement_by_successor ON replacement (successor);

                -- What has ended on a device is asked for when its bytes are to be erased.
                CREATE INDEX held_epoch_by_end ON held_epoch (open_until);

                """#),
    ]
}
