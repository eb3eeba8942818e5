internal import CLinux
internal import Glibc

/// What every program that holds keys does first.
public enum ProcessHardening {
    /// The signals of a crash, on which Swift's runtime would print registers and the memory they point at.
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGQUIT, SIGSYS]

    /// No core dump, no attaching by processes of the same user, no backtrace that prints memory.
    ///
    /// Not against root, nor against a process of the same user that asks for the keys as any program of ours does.
    /// - Throws: ``SessionError/system(operation:code:)``.
    public static func apply() throws(SessionError) {
        for number in crashSignals {
            try check(waxwing_default_action(number), "sigaction")
        }
        // A limit on the size of files is an error like a full disk, and no reason to die in the middle of something.
        signal(SIGXFSZ, SIG_IGN)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else {
            throw .last("setrlimit")
        }
        try check(waxwing_set_dumpable(0), "prctl")
        guard waxwing_get_dumpable() == 0 else { throw .system(operation: "prctl", code: EPERM) }
    }

    private static func check(_ result: Int, _ operation: String) throws(SessionError) {
        guard result >= 0 else { throw .system(operation: operation, code: Int32(-result)) }
    }
}
