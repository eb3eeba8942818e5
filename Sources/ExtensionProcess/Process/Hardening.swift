internal import CLinux
internal import Glibc

/// What a process does first that will hold keys: as `ProcessHardening` of KeyStore, which is no part of an extension.
enum Hardening {
    /// The signals of a crash, on which Swift's runtime would print registers and the memory they point at.
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGQUIT, SIGSYS]

    /// No core dump, no attaching by processes of the same user, no backtrace that prints memory.
    /// - Returns: false where the system refuses.
    static func apply() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        return crashSignals.allSatisfy { waxwing_default_action($0) >= 0 }
            && setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 && waxwing_set_dumpable(0) >= 0
            && waxwing_get_dumpable() == 0
    }
}
