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
