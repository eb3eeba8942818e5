#define _GNU_SOURCE
// A VFS over SQLite's own: it counts what is written, and fails or dies at the boundary that was named.
#include "boundary.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

struct file {
    sqlite3_file base;
    sqlite3_file *real;  // behind this struct
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs vfs;

static sqlite3_file *real(sqlite3_file *file) {
    return ((struct file *)file)->real;
}

// What SQLite's calls of the C library come to is not counted a second time.
#define INSIDE(result, call)          \
    do {                              \
        waxwing_inside_sqlite++;      \
        (result) = (call);            \
        waxwing_inside_sqlite--;      \
    } while (0)

// As the system's own VFS tells it: no space is one code, everything else another, with the error number beside it.
static int failure(int code) {
    errno = waxwing_fault_errno();
    return errno == ENOSPC && code == SQLITE_IOERR_WRITE ? SQLITE_FULL : code;
}

static int file_close(sqlite3_file *file) {
    int code;
    INSIDE(code, real(file)->pMethods->xClose(real(file)));
    return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    enum waxwing_step step = waxwing_step_at(waxwing_boundary_write);
    if (step == waxwing_step_fail) return failure(SQLITE_IOERR_WRITE);
    int code;
    INSIDE(code, real(file)->pMethods->xWrite(real(file), bytes, step == waxwing_step_tear ? count / 2 : count, offset));
    if (step == waxwing_step_tear) waxwing_die();
    return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (waxwing_step_at(waxwing_boundary_change) == waxwing_step_fail) return failure(SQLITE_IOERR_TRUNCATE);
    int code;
    INSIDE(code, real(file)->pMethods->xTruncate(real(file), size));
    return code;
}

static int file_sync(sqlite3_file *file, int flags) {
    if (waxwing_step_at(waxwing_boundary_room) == waxwing_step_fail) return failure(SQLITE_IOERR_FSYNC);
    int code;
    INSIDE(code, real(file)->pMethods->xSync(real(file), flags));
    return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_check_reserved_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    int code;
    INSIDE(code, real(file)->pMethods->xFileControl(real(file), operation, argument));
    return code;
}

static int file_sector_size(sqlite3_file *file) {
    return real(file)->pMethods->xSectorSize(real(file));
}

static int file_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **address) {
    if (extends && waxwing_step_at(waxwing_boundary_room) == waxwing_step_fail) return failure(SQLITE_IOERR_SHMSIZE);
    int code;
    INSIDE(code, real(file)->pMethods->xShmMap(real(file), region, size, extends, address));
    return code;
}

// The index of the log is changed by stores to mapped memory, with a barrier or an exclusive lock between them.
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    if (flags & SQLITE_SHM_EXCLUSIVE) (void)waxwing_step_at(waxwing_boundary_memory);
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
    (void)waxwing_step_at(waxwing_boundary_memory);
    real(file)->pMethods->xShmBarrier(real(file));
}

static int file_shm_unmap(sqlite3_file *file, int deletes) {
    if (deletes) (void)waxwing_step_at(waxwing_boundary_memory);
    int code;
    INSIDE(code, real(file)->pMethods->xShmUnmap(real(file), deletes));
    return code;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *given) {
    (void)self;
    struct file *opened = (struct file *)file;
    opened->base.pMethods = NULL;
    opened->real = (sqlite3_file *)(opened + 1);
    int makes = flags & SQLITE_OPEN_CREATE && (name == NULL || access(name, F_OK) != 0);
    if (makes && waxwing_step_at(waxwing_boundary_room) == waxwing_step_fail) return failure(SQLITE_CANTOPEN);
    int code;
    INSIDE(code, real_vfs->xOpen(real_vfs, name, opened->real, flags, given));
    // Without methods of its own a file that was not opened is not closed; with them SQLite closes it.
    if (opened->real->pMethods != NULL) opened->base.pMethods = &methods;
    return code;
}

static int vfs_delete(sqlite3_vfs *self, const char *name, int synchronizes) {
    (void)self;
    if (waxwing_step_at(waxwing_boundary_change) == waxwing_step_fail) return failure(SQLITE_IOERR_DELETE);
    int code;
    INSIDE(code, real_vfs->xDelete(real_vfs, name, synchronizes));
    return code;
}

static int vfs_access(sqlite3_vfs *self, const char *name, int flags, int *result) {
    (void)self;
    return real_vfs->xAccess(real_vfs, name, flags, result);
}

static int vfs_full_pathname(sqlite3_vfs *self, const char *name, int count, char *path) {
    (void)self;
    return real_vfs->xFullPathname(real_vfs, name, count, path);
}

static int vfs_randomness(sqlite3_vfs *self, int count, char *bytes) {
    (void)self;
    return real_vfs->xRandomness(real_vfs, count, bytes);
}

static int vfs_sleep(sqlite3_vfs *self, int microseconds) {
    (void)self;
    return real_vfs->xSleep(real_vfs, microseconds);
}

static int vfs_current_time(sqlite3_vfs *self, double *time) {
    (void)self;
    return real_vfs->xCurrentTime(real_vfs, time);
}

static int vfs_current_time_int64(sqlite3_vfs *self, sqlite3_int64 *time) {
    (void)self;
    return real_vfs->xCurrentTimeInt64(real_vfs, time);
}

static int vfs_last_error(sqlite3_vfs *self, int count, char *text) {
    (void)self;
    int number = waxwing_fault_errno();
    return number != 0 ? number : real_vfs->xGetLastError(real_vfs, count, text);
}

int waxwing_fault_install(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (real_vfs == NULL) return SQLITE_ERROR;
    vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile,
        .mxPathname = real_vfs->mxPathname,
        .zName = "waxwing-faults",
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full_pathname,
        .xRandomness = vfs_randomness,
        .xSleep = vfs_sleep,
        .xCurrentTime = vfs_current_time,
        .xGetLastError = vfs_last_error,
        .xCurrentTimeInt64 = vfs_current_time_int64,
    };
    return sqlite3_vfs_register(&vfs, 1);
}
