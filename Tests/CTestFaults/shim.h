#pragma once
// Faults that a test process does to itself, and that Swift cannot ask for. No product imports it.
#include <errno.h>          // EIO
#include <linux/filter.h>   // sock_filter
#include <linux/seccomp.h>  // SECCOMP_RET_ERRNO
#include <stddef.h>         // offsetof
#include <sys/prctl.h>      // prctl is variadic
#include <sys/syscall.h>    // SYS_getrandom
#include <sys/xattr.h>      // access control lists: not in the Glibc module
#include <unistd.h>         // fork: Swift declares it unavailable

static inline pid_t waxwing_test_fork(void) {
    return fork();
}

// From here on getrandom(2) answers EIO in this process. Answers 0, or -1 where the kernel does not allow filters.
static inline int waxwing_test_deny_getrandom(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// From here on the kernel's key service answers EPERM in this process, as in a container.
static inline int waxwing_test_deny_keyrings(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_add_key, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_keyctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// Attributes of a file: what they hold, and the length of one that is there, or -1.
static inline int waxwing_test_set_attribute(const char *path, const char *name, const void *value, size_t length) {
    return setxattr(path, name, value, length, 0);
}

static inline long waxwing_test_attribute(const char *path, const char *name) {
    return getxattr(path, name, NULL, 0);
}

static inline int waxwing_test_remove_attribute(const char *path, const char *name) {
    return removexattr(path, name);
}
