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
