import CLinux
import Glibc

/// Signals that end a program, held back while something must be put in order first.
///
/// They stay blocked as long as this value lives; one that came meanwhile takes effect then.
struct HeldSignals: ~Copyable {
    private var previous = sigset_t()
    private let isUntilExit: Bool

    /// - Parameters:
    ///   - holdsStop: whether a stop from the keyboard is held back too, for ``stop(before:after:)``.
    ///   - isUntilExit: whether they stay blocked to the end of the process.
    init(holdsStop: Bool = false, isUntilExit: Bool = false) {
        self.isUntilExit = isUntilExit
        var held = Self.ending()
        if holdsStop { sigaddset(&held, SIGTSTP) }
        pthread_sigmask(SIG_BLOCK, &held, &previous)
    }

    deinit {
        guard !isUntilExit else { return }
        var mask = previous
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Runs the body with those that end a program held back.
    static func holding<Value>(_ body: () throws -> Value) throws -> Value {
        let held = HeldSignals()
        let result = Result(catching: body)
        _ = consume held
        return try result.get()
    }

    /// Whether one that is held back is waiting.
    static var isOneWaiting: Bool {
        var waiting = sigset_t()
        guard sigpending(&waiting) == 0 else { return false }
        return numbers.contains { sigismember(&waiting, $0) == 1 }
    }

    /// Takes the waiting ones away, so that they have no effect.
    func forget() {
        var set = Self.ending()
        var none = timespec()
        while sigtimedwait(&set, nil, &none) > 0 {}
    }

    /// Lets a stop from the keyboard take effect if one is waiting.
    /// - Parameters:
    ///   - before: what is put in order first.
    ///   - after: what is to be done when the program goes on.
    /// - Returns: whether there was one.
    func stop(before: () -> Void, after: () -> Void) -> Bool {
        var waiting = sigset_t()
        guard sigpending(&waiting) == 0, sigismember(&waiting, SIGTSTP) == 1 else { return false }
        before()
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        after()
        return true
    }

    /// What whoever started the program has it ignore (nohup, a job in the background) ends nothing, held back neither.
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { waxwing_is_ignored($0) == 0 }

    private static func ending() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}
