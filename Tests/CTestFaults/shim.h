#pragma once
// Faults that a test process does to itself, and that Swift cannot ask for. No product imports it.
#include <errno.h>          // EIO
#include <linux/filter.h>   // sock_filter
#include <linux/seccomp.h>  // SECCOMP_RET_ERRNO
#include <stddef.h>         // offsetof
#include <sys/prctl.h>      // prctl is variadic
#include <sys/syscall.h>    // SYS_getrandom
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
