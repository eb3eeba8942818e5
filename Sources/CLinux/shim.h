#pragma once
// Without _GNU_SOURCE, like the Glibc module: with it fd_set has other members here than there, which Swift refuses.
#include <errno.h>         // errno after the calls below, read in the same function
#include <linux/keyctl.h>  // KEYCTL_*, KEY_SPEC_*, KEY_*: the kernel's own numbers, no libkeyutils needed
#include <spawn.h>         // posix_spawn_file_actions_t
#include <stdint.h>        // int32_t key ids
#include <signal.h>        // sigaction, SIG_DFL
#include <sys/fsuid.h>     // setfsgid: not in the Glibc module
#include <sys/inotify.h>   // the agent sees its store deleted
#include <sys/mman.h>      // mmap in a signal handler, below
#include <sys/prctl.h>     // prctl is variadic
#include <sys/random.h>    // getrandom: not in the Glibc module
#include <sys/socket.h>    // SO_PEERCRED, SO_PEERGROUPS
#include <sys/syscall.h>   // syscall numbers: the variadic syscall() is not imported
#include <sys/xattr.h>     // access control lists: not in the Glibc module
#include <unistd.h>

// Key permissions of one kind of holder (<keyutils.h> has them, the kernel's public headers do not).
enum {
    waxwing_key_view_right = 0x01,
    waxwing_key_read_right = 0x02,
    waxwing_key_search_right = 0x08,
    waxwing_key_link_right = 0x10,
    waxwing_key_possessor_shift = 24,
    waxwing_key_user_shift = 16,
    waxwing_key_group_shift = 8,
};

// The calls below answer -errno, so that nothing between the call and the question can change it.
static inline long waxwing_result(long result) {
    return result < 0 ? -(long)errno : result;
}

// add_key(2): glibc has no wrapper, and syscall() is variadic. Answers the key's id.
static inline long waxwing_key_add(const char *description, const void *payload, size_t length, int32_t keyring) {
    return waxwing_result(syscall(SYS_add_key, "user", description, payload, length, keyring));
}

// keyctl(2) KEYCTL_SEARCH for a key of type "user" below one keyring. Answers the key's id.
static inline long waxwing_key_search_user(int32_t keyring, const char *description) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_SEARCH, keyring, "user", description, 0));
}

// KEYCTL_DESCRIBE: "type;uid;gid;perm;description" with its NUL. Answers the length needed.
static inline long waxwing_key_describe(int32_t key, char *buffer, size_t length) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_DESCRIBE, key, buffer, length));
}

// KEYCTL_READ. Answers the payload's length, which may be more than the buffer's.
static inline long waxwing_key_read_payload(int32_t key, void *buffer, size_t length) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_READ, key, buffer, length));
}

// KEYCTL_CHOWN of the group alone.
static inline long waxwing_key_set_group(int32_t key, gid_t group) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_CHOWN, key, (uid_t)-1, group));
}

// KEYCTL_SETPERM.
static inline long waxwing_key_set_permissions(int32_t key, uint32_t permissions) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_SETPERM, key, permissions));
}

// KEYCTL_SET_TIMEOUT in seconds; 0 takes the timeout away.
static inline long waxwing_key_set_timeout(int32_t key, unsigned seconds) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds));
}

// KEYCTL_LINK: what is linked there under the same name is displaced.
static inline long waxwing_key_link(int32_t key, int32_t keyring) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_LINK, key, keyring));
}

// KEYCTL_UNLINK.
static inline long waxwing_key_unlink(int32_t key, int32_t keyring) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_UNLINK, key, keyring));
}

// KEYCTL_INVALIDATE: from the next call on nobody finds the key. Asks for the search permission only.
static inline long waxwing_key_invalidate(int32_t key) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_INVALIDATE, key));
}

// KEYCTL_JOIN_SESSION_KEYRING with a new nameless one: tests stand in for another log-in with it.
static inline long waxwing_key_join_new_session(void) {
    return waxwing_result(syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL));
}

// An attribute of what is at that path, a symbolic link itself. Answers its length.
static inline long waxwing_attribute(const char *path, const char *name, void *buffer, size_t length) {
    return waxwing_result(lgetxattr(path, name, buffer, length));
}

// Takes an attribute away.
static inline long waxwing_remove_attribute(int file, const char *name) {
    return waxwing_result(fremovexattr(file, name));
}

// prctl(PR_SET_DUMPABLE): variadic.
static inline long waxwing_set_dumpable(int dumpable) {
    return waxwing_result(prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0));
}

// prctl(PR_GET_DUMPABLE): variadic.
static inline int waxwing_get_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

// prctl(PR_SET_PDEATHSIG): variadic. The kernel kills the process when the thread that started it ends.
static inline long waxwing_end_with_parent(void) {
    return waxwing_result(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
}

// struct ucred of unix(7), which <sys/socket.h> has under _GNU_SOURCE alone.
struct waxwing_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// SO_PEERCRED: who connected, or who listened.
static inline long waxwing_peer_credentials(int socket, struct waxwing_credentials *peer) {
    socklen_t length = sizeof *peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, peer, &length) != 0) return -(long)errno;
    return length == sizeof *peer ? 0 : -EPROTO;
}

// SO_PEERGROUPS (Linux 4.13): the supplementary groups the peer had when it connected. *count is the room, then the
// number; -ERANGE when there was not room enough.
static inline long waxwing_peer_groups(int socket, gid_t *groups, size_t *count) {
    socklen_t length = (socklen_t)(*count * sizeof(gid_t));
    long result = waxwing_result(getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length));
    *count = length / sizeof(gid_t);
    return result;
}

// A crash signal back to the kernel's action: sigaction's union and SIG_DFL's cast are awkward from Swift.
static inline long waxwing_default_action(int number) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    return waxwing_result(sigaction(number, &action, NULL));
}

// Ignores a signal: SIG_IGN is a cast.
static inline long waxwing_ignore(int number) {
    struct sigaction action = {.sa_handler = SIG_IGN};
    return waxwing_result(sigaction(number, &action, NULL));
}

// Whether a signal is ignored.
static inline int waxwing_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN;
}

// glibc 2.34 has it, <spawn.h> under _GNU_SOURCE alone: an agent inherits no descriptors but its own.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// SIGBUS of a mapped file that was cut: a page of zeros takes the lost one's place. In C, as the handler may interrupt anything, the
// allocator and Swift's runtime too, and may not call them again.
enum { waxwing_page_byte_count = 4096, waxwing_page_capacity = 65536, waxwing_page_lost = 1 };

struct waxwing_lost_pages {
    uintptr_t pages[waxwing_page_capacity];
    int count;  // Of the places given out, of which some are free again (0); those beyond the capacity are none.
    struct sigaction former;
};

// The one state, of the one Swift file that uses it.
static inline struct waxwing_lost_pages *waxwing_lost_pages(void) {
    static struct waxwing_lost_pages state;
    return &state;
}

static inline void waxwing_handle_lost_page(int number, siginfo_t *information, void *context) {
    struct waxwing_lost_pages *state = waxwing_lost_pages();
    // Positive for a fault; a signal that somebody sent has no address.
    if (information->si_code > 0) {
        uintptr_t page = (uintptr_t)information->si_addr & ~(uintptr_t)(waxwing_page_byte_count - 1);
        int count = __atomic_load_n(&state->count, __ATOMIC_SEQ_CST);
        for (int i = 0; page != 0 && i < count && i < waxwing_page_capacity; i++) {
            if (__atomic_load_n(&state->pages[i], __ATOMIC_RELAXED) != page) continue;
            int before = errno;
            void *zeros = mmap((void *)page, waxwing_page_byte_count, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
            errno = before;
            if (zeros == MAP_FAILED) break;
            __atomic_store_n(&state->pages[i], page | waxwing_page_lost, __ATOMIC_SEQ_CST);
            return;
        }
    }
    if (state->former.sa_flags & SA_SIGINFO) {
        state->former.sa_sigaction(number, information, context);
        return;
    }
    sigaction(number, &state->former, NULL);
    // A fault comes again when this returns, and ends the process as it would have; what was sent does not.
    if (information->si_code <= 0) raise(number);
}

// Puts the handler in, once a process.
static inline long waxwing_handle_lost_pages(void) {
    struct sigaction action = {.sa_sigaction = waxwing_handle_lost_page, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return waxwing_result(sigaction(SIGBUS, &action, &waxwing_lost_pages()->former));
}

// Has the handler look after one more page. Answers whether there was room.
static inline int waxwing_watch_page(const void *page) {
    struct waxwing_lost_pages *state = waxwing_lost_pages();
    int count = __atomic_load_n(&state->count, __ATOMIC_SEQ_CST);
    for (int i = 0; i < count && i < waxwing_page_capacity; i++) {
        uintptr_t none = 0;
        if (__atomic_load_n(&state->pages[i], __ATOMIC_RELAXED) != none) continue;
        if (__atomic_compare_exchange_n(&state->pages[i], &none, (uintptr_t)page, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 1;
    }
    // Looked at first, so that the number stays near the capacity however often it is asked.
    if (__atomic_load_n(&state->count, __ATOMIC_SEQ_CST) >= waxwing_page_capacity) return 0;
    int place = __atomic_fetch_add(&state->count, 1, __ATOMIC_SEQ_CST);
    if (place >= waxwing_page_capacity) return 0;
    __atomic_store_n(&state->pages[place], (uintptr_t)page, __ATOMIC_SEQ_CST);
    return 1;
}

// Has the handler look after a page no longer, before it is unmapped.
static inline void waxwing_unwatch_page(const void *page) {
    struct waxwing_lost_pages *state = waxwing_lost_pages();
    int count = __atomic_load_n(&state->count, __ATOMIC_SEQ_CST);
    for (int i = 0; i < count && i < waxwing_page_capacity; i++) {
        uintptr_t watched = __atomic_load_n(&state->pages[i], __ATOMIC_SEQ_CST);
        if ((watched & ~(uintptr_t)waxwing_page_lost) != (uintptr_t)page) continue;
        __atomic_store_n(&state->pages[i], 0, __ATOMIC_SEQ_CST);
    }
}

// Whether zeros took the place of a page that was watched.
static inline int waxwing_page_is_lost(uintptr_t page) {
    struct waxwing_lost_pages *state = waxwing_lost_pages();
    int count = __atomic_load_n(&state->count, __ATOMIC_SEQ_CST);
    for (int i = 0; i < count && i < waxwing_page_capacity; i++) {
        if (__atomic_load_n(&state->pages[i], __ATOMIC_SEQ_CST) == (page | waxwing_page_lost)) return 1;
    }
    return 0;
}

// A pair of connected sockets that no other program inherits. (The kinds of sockets are enumerators, and a module that includes
// the same header first keeps them to itself.)
static inline int waxwing_socket_pair(int pair[2]) {
    return (int)waxwing_result(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
}
