-- A digest over all rows: of each table in sixteen shards, named `table/0` to `table/15`, how many rows there are and the
-- sum of their keyed digests, wrapped; in `root` the same of the shards, with the key (docs/decisions/0011-digest-and-anchor.md).
CREATE TABLE digest (
    id TEXT PRIMARY KEY NOT NULL,
    version INTEGER NOT NULL,
    count INTEGER NOT NULL,
    sum BLOB NOT NULL,
    sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
