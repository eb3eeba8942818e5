import EnvelopeFormat
import Glibc
import KeyStore
import OpenerNSE
import Simulator

/// `simulate`: what a person sees of a notification on an emulated phone.
enum SimulateCommand {
    static let row = Command(
        "simulate", "run a notification through the extension of an emulated phone, and show what a person sees",
        details: [
            "The input is an APNs payload, as Xcode's simulator takes it too; where it names a Simulator Target Bundle, --app has "
                + "to be that one, and where it names none, Xcode's simulator would pass it over. The extension runs in a process of its own, with the phone's lock state, 24 MB of memory and 30 "
                + "seconds, of the program waxwing-extension beside this one.",
            "The app's templates are in the shared container, notifications.json and notifications-TAG.json (docs/localisation.md).",
            "What a phone would keep to itself is said on standard error: why something does not open, or goes without its "
                + "image; --quiet leaves it out.",
            "The phone remembers what it opened. What waits for an unlock, what its app should fetch, and the events are in "
                + "the shared container: the folder container of the store, if --container does not name another.",
            "With --dry-run the same is shown, and nothing is kept: no message is remembered, nothing is queued, and there is no page.",
            "The exit code is 0 when the extension called its handler, else 1: also for what never reaches it.",
        ],
        arguments: [.input("the payload")],
        options: [
            OptionSpec("app", "BUNDLE", "the bundle identifier of the app whose extension it is"),
            OptionSpec("aps-environment", "ENV", "development or production: that of the build, whose device token is then of it"),
            OptionSpec("sent-to", "ENV", "development or production: which of APNs' services it is sent to"),
            OptionSpec("access-group", "G", "the keychain access group of the extension, that of the store if not given"),
            OptionSpec("drain", nil, "no payload: the app opens what waits in the shared container, and shows it"),
            OptionSpec("container", "DIR", "the shared container", completion: .directories),
            OptionSpec("language", "TAG", "a language of the phone's owner, the best first", isRepeatable: true),
            OptionSpec("base-language", "TAG", "what notifications.json in the shared container is written in"),
            OptionSpec("allow-host", "NAME", "images come from there alone; *.NAME for all below it", isRepeatable: true),
            OptionSpec("allow-port", "N", "a port beside 443 from which images may come", isRepeatable: true),
            OptionSpec("allow-own-networks", nil, "images may come from this machine and private networks"),
            OptionSpec("ca", "FILE", "certificate authorities in place of the system's", completion: .files),
            OptionSpec("sealed-only", nil, "the app never sends what is not sealed"),
            OptionSpec("can-suppress", nil, "the app may hold notifications back"),
            OptionSpec(
                "html", "FILE", "a page that shows the notification before and after; a file that is not there yet",
                completion: .files),
            OptionSpec("time-scale", "N", "so many seconds of the extension in one; 1 if not given"),
        ],
        example: "simulate --store phone push.apns", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let scale = try invocation.wholeNumber("time-scale") ?? 1
        guard (1...1_000).contains(scale) else { throw invocation.usage("--time-scale is none of 1 to 1000") }
        let device = try invocation.openDeviceStore()
        var app = try app(invocation, Int(scale))
        let rehearsed = try invocation.isDryRun ? RehearsedContainer(of: app.container) : nil
        defer { withExtendedLifetime(rehearsed) {} }
        if let rehearsed { app.container = rehearsed.path }
        if invocation.has("drain") {
            guard invocation.arguments.isEmpty else { throw invocation.usage("--drain takes no payload") }
            return try SimulateDrain(invocation, app).run(on: SimulatedDevice(device))
        }
        let file = try InputError.naming(invocation.inputPath) { try APNsFile(try Input.readLine(invocation.inputPath)) }
        if let refusal = try refusal(invocation) ?? file.refusal {
            return SimulationView.view(undelivered: refusal).report(.no)
        }
        let html = try page(invocation)
        if file.app == nil, invocation.has("app") || invocation.inputPath.hasSuffix(".apns") {
            invocation.note("it names no Simulator Target Bundle: dragged onto Xcode's simulator it would be ignored without a word")
        }
        if let obstacle = file.obstacle(app: invocation.value("app")) {
            try html?.commit(SimulationPage(file, obstacle: obstacle).bytes)
            return SimulationView.view(of: file, obstacle: obstacle).report(.no)
        }
        let lockState = try device.store.lockState
        let result = try SimulatedDevice(device).receive(
            file, identifier: "request-\(invocation.clock)-\(getpid())", app: app, now: invocation.clock,
            remembers: !invocation.isDryRun)
        if let failure = result.failure {
            invocation.console.report(CommandError(reporting: failure, as: failure.keychainStatus))
        }
        for reason in SimulationReasons.lines(result, lockState: lockState) { invocation.note(reason) }
        let templates = try Templates(try ContainerDirectory(app.container), languages: []).refused()
        try html?.commit(SimulationPage(file, result, refused: templates).bytes)
        return SimulationView.view(of: file, result, refused: templates, isRehearsed: invocation.isDryRun).report(
            result.ending == .delivered ? .done : .no)
    }

    /// Where the page goes; of a dry run nowhere.
    private static func page(_ invocation: Invocation) throws -> NewFile? {
        guard let path = invocation.value("html") else { return nil }
        guard path != "-" else { throw invocation.usage("--html is no file: the result goes to standard output") }
        guard invocation.isDryRun else { return try NewFile(creating: path) }
        try NewFile.requireAbsent(at: path)
        return nil
    }

    /// Why the push service does not take it, where that was asked for.
    private static func refusal(_ invocation: Invocation) throws -> String? {
        func environment(_ name: String) throws -> PushEnvironment? {
            guard let word = invocation.value(name) else { return nil }
            guard let environment = PushEnvironment(rawValue: word) else {
                throw invocation.usage("--\(name) is none of development and production")
            }
            return environment
        }
        guard let token = try environment("aps-environment"), let service = try environment("sent-to") else { return nil }
        return service.refusal(ofTokenFrom: token)
    }

    private static func app(_ invocation: Invocation, _ timeScale: Int) throws -> SimulatedApp {
        var app = SimulatedApp(
            program: try program(), container: try invocation.value("container") ?? invocation.storeDirectory() + "/container")
        app.accessGroup = invocation.value("access-group")
        app.isSealedOnly = invocation.has("sealed-only")
        app.canSuppress = invocation.has("can-suppress")
        app.languages = invocation.values("language")
        app.baseLanguage = invocation.value("base-language")
        if invocation.has("allow-host") { app.images.allowedHosts = invocation.values("allow-host").map { $0.lowercased() } }
        for port in invocation.values("allow-port") {
            guard let number = UInt16(port), number > 0 else { throw invocation.usage("--allow-port is none of 1 to 65535") }
            app.images.allowedPorts.insert(Int(number))
        }
        app.images.allowsOwnNetworks = invocation.has("allow-own-networks")
        if let file = invocation.value("ca") {
            guard access(file, R_OK) == 0 else { throw SystemError.failure(errno, path: file) }
            app.authorities = file
        }
        app.timeScale = timeScale
        return app
    }

    /// Beside this program.
    private static func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemError.failure(errno, path: "/proc/self/exe") }
        let own = buffer.withUnsafeBytes { String(decoding: $0.prefix(count), as: UTF8.self) }
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/waxwing-extension"
    }
}
