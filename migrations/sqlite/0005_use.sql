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
