#define _GNU_SOURCE
// The names of the C library by which a process changes files. An executable that has them itself is asked before the library is,
// so that they count for everything in it that is not SQLite: the generation file, key files, directories, backups.
//
// Under a sanitizer these names are its own, and only SQLite's boundaries are counted.
#include "boundary.h"

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static enum waxwing_step step(enum waxwing_boundary boundary) {
    return waxwing_inside_sqlite > 0 ? waxwing_step_go : waxwing_step_at(boundary);
}

static long failure(void) {
    errno = waxwing_fault_errno();
    return -1;
}

// Pipes and sockets are no store.
static int is_file(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

static int creates(int directory, const char *path, int flags) {
    if ((flags & O_TMPFILE) == O_TMPFILE) return 1;
    if (!(flags & O_CREAT)) return 0;
    return syscall(SYS_faccessat, directory, path, F_OK) != 0;
}

static int opened(int directory, const char *path, int flags, va_list arguments) {
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    int before = errno;
    int makes = creates(directory, path, flags);
    errno = before;
    if ((makes || flags & O_TRUNC) && step(waxwing_boundary_room) == waxwing_step_fail) return (int)failure();
    return (int)syscall(SYS_openat, directory, path, flags, mode);
}

#define OPEN(name)                                              \
    int name(const char *path, int flags, ...) {                \
        va_list arguments;                                      \
        va_start(arguments, flags);                             \
        int result = opened(AT_FDCWD, path, flags, arguments);  \
        va_end(arguments);                                      \
        return result;                                          \
    }
#define OPEN_AT(name)                                           \
    int name(int directory, const char *path, int flags, ...) { \
        va_list arguments;                                      \
        va_start(arguments, flags);                             \
        int result = opened(directory, path, flags, arguments); \
        va_end(arguments);                                      \
        return result;                                          \
    }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    enum waxwing_step next = is_file(descriptor) ? step(waxwing_boundary_write) : waxwing_step_go;
    if (next == waxwing_step_fail) return failure();
    ssize_t result = syscall(SYS_write, descriptor, bytes, next == waxwing_step_tear ? count / 2 : count);
    if (next == waxwing_step_tear) waxwing_die();
    return result;
}

static ssize_t written_at(int descriptor, const void *bytes, size_t count, off_t offset) {
    enum waxwing_step next = step(waxwing_boundary_write);
    if (next == waxwing_step_fail) return failure();
    ssize_t result = syscall(SYS_pwrite64, descriptor, bytes, next == waxwing_step_tear ? count / 2 : count, offset);
    if (next == waxwing_step_tear) waxwing_die();
    return result;
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return written_at(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return written_at(descriptor, bytes, count, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (is_file(descriptor) && step(waxwing_boundary_room) == waxwing_step_fail) return failure();
    return syscall(SYS_writev, descriptor, parts, count);
}

#define ONE(boundary, name, parameters, ...)                       \
    int name parameters {                                          \
        if (step(boundary) == waxwing_step_fail) return (int)failure(); \
        return (int)syscall(__VA_ARGS__);                          \
    }
ONE(waxwing_boundary_change, ftruncate, (int file, off_t size), SYS_ftruncate, file, size)
ONE(waxwing_boundary_change, ftruncate64, (int file, off64_t size), SYS_ftruncate, file, size)
ONE(waxwing_boundary_room, fallocate, (int file, int mode, off_t from, off_t count), SYS_fallocate, file, mode, from, count)
ONE(waxwing_boundary_room, fallocate64, (int file, int mode, off64_t from, off64_t count), SYS_fallocate, file, mode, from, count)
ONE(waxwing_boundary_room, fsync, (int file), SYS_fsync, file)
ONE(waxwing_boundary_room, fdatasync, (int file), SYS_fdatasync, file)
ONE(waxwing_boundary_room, mkdir, (const char *path, mode_t mode), SYS_mkdirat, AT_FDCWD, path, mode)
ONE(waxwing_boundary_room, mkdirat, (int at, const char *path, mode_t mode), SYS_mkdirat, at, path, mode)
ONE(waxwing_boundary_room, link, (const char *from, const char *to), SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0)
ONE(waxwing_boundary_room, linkat, (int at, const char *from, int to_at, const char *to, int flags), SYS_linkat, at, from, to_at, to,
    flags)
ONE(waxwing_boundary_room, rename, (const char *from, const char *to), SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0)
ONE(waxwing_boundary_room, renameat, (int at, const char *from, int to_at, const char *to), SYS_renameat2, at, from, to_at, to, 0)
ONE(waxwing_boundary_room, renameat2, (int at, const char *from, int to_at, const char *to, unsigned flags), SYS_renameat2, at, from,
    to_at, to, flags)
ONE(waxwing_boundary_change, unlink, (const char *path), SYS_unlinkat, AT_FDCWD, path, 0)
ONE(waxwing_boundary_change, unlinkat, (int at, const char *path, int flags), SYS_unlinkat, at, path, flags)
ONE(waxwing_boundary_change, rmdir, (const char *path), SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR)
ONE(waxwing_boundary_change, fchmod, (int file, mode_t mode), SYS_fchmod, file, mode)
ONE(waxwing_boundary_change, fchown, (int file, uid_t user, gid_t group), SYS_fchown, file, user, group)

// It answers the error number, and by default makes holes solid one byte at a time: boundaries of its own.
int posix_fallocate(int file, off_t from, off_t count) {
    if (step(waxwing_boundary_room) == waxwing_step_fail) return waxwing_fault_errno();
    int before = errno;
    int code = syscall(SYS_fallocate, file, 0, from, count) == 0 ? 0 : errno;
    errno = before;
    return code;
}
int posix_fallocate64(int file, off64_t from, off64_t count) {
    return posix_fallocate(file, from, count);
}

#endif
