#pragma once
#include <sqlite3.h> // storage
#if SQLITE_VERSION_NUMBER < 3040001
#error "SQLite 3.40.1 is the least"
#endif

// sqlite3_db_config is variadic and so not imported: the database file cannot make us run triggers or views,
// and SQL cannot write to the schema.
static inline int waxwing_sqlite3_harden(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    return code;
}

// SQLITE_TRANSIENT is a cast of a macro and so not imported: the bytes are copied before the call returns.
static inline int waxwing_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}
static inline int waxwing_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
