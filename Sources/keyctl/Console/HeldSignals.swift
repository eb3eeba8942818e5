import Glibc

/// Signals that end a program, held back while something must be put in order first.
///
/// They stay blocked as long as this value lives; one that came meanwhile takes effect then.
struct HeldSignals: ~Copyable {
    private var previous = sigset_t()

    init() {
        var held = Self.ending()
        pthread_sigmask(SIG_BLOCK, &held, &previous)
    }

    deinit {
        var mask = previous
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Whether one is waiting.
    var isOneWaiting: Bool {
        var waiting = sigset_t()
        guard sigpending(&waiting) == 0 else { return false }
        return Self.numbers.contains { sigismember(&waiting, $0) == 1 }
    }

    /// Takes the waiting ones away, so that they have no effect.
    func forget() {
        var set = Self.ending()
        var none = timespec()
        while sigtimedwait(&set, nil, &none) > 0 {}
    }

    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private static func ending() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}
