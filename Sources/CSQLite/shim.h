#pragma once
#include <sqlite3.h> // storage
#include <stdint.h>  // intptr_t
#include <unistd.h>  // usleep

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

// Waits for another connection's lock, in short steps. SQLite's own waits grow to a tenth of a second, and one that looks so seldom
// does not get in beside a process that writes without a pause: it could wait for as long as that goes on.
static inline int waxwing_sqlite3_wait(void *patience, int count) {
    enum { first = 16, short_step = 250, step = 2000 };  // microseconds
    sqlite3_int64 waited = count < first ? (sqlite3_int64)count * short_step
                                         : first * short_step + (sqlite3_int64)(count - first) * step;
    if (waited >= (sqlite3_int64)(intptr_t)patience * 1000) return 0;
    usleep(count < first ? short_step : step);
    return 1;
}
static inline int waxwing_sqlite3_be_patient(sqlite3 *database, int milliseconds) {
    return sqlite3_busy_handler(database, waxwing_sqlite3_wait, (void *)(intptr_t)milliseconds);
}
