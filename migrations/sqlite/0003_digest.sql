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
