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
                + "to be that one, and a file .apns that names none Xcode's simulator would pass over. The extension runs in a process of its own, with the phone's lock state, 24 MB of memory and 30 "
                + "seconds, of the program waxwing-extension beside this one.",
            "The app's templates are in the shared container, notifications.json and notifications-TAG.json (docs/localisation.md).",
            "What a phone would keep to itself is said on standard error: why something does not open, or goes without its "
                + "image; --quiet leaves it out.",
            "The phone remembers what it opened: the same file once more is a duplicate. To look first, --dry-run. What waits for an unlock, what its app should fetch, and the events are in "
                + "the shared container: the folder container of the store, if --container does not name another.",
            "What is shown counts as shown once it is printed. Interrupted or killed before that, it is in the shared container, if "
                + "the extension had begun, and from a minute later --drain shows it. Of what is drained the text is shown, and no image.",
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
            OptionSpec(
                "container", "DIR", "the shared container; the folder container of the store if not given", completion: .directories),
            OptionSpec("language", "TAG", "a language of the phone's owner, the best first", isRepeatable: true),
            OptionSpec("base-language", "TAG", "what notifications.json in the shared container is written in"),
            OptionSpec("allow-host", "NAME", "images come from there alone; *.NAME for all below it", isRepeatable: true),
            OptionSpec("allow-port", "N", "a port beside 443 from which images may come", isRepeatable: true),
            OptionSpec("allow-own-networks", nil, "images may come from this machine and private networks"),
            OptionSpec("ca", "FILE", "certificate authorities in place of the system's", completion: .files),
            OptionSpec("sealed-only", nil, "the app never sends what is not sealed: isSealedOnly of its settings"),
            OptionSpec("can-suppress", nil, "the app may hold notifications back: hasFilteringEntitlement of its settings"),
            OptionSpec(
                "html", "FILE", "a page that shows the notification before and after; a file that is not there yet",
                completion: .files),
            OptionSpec("time-scale", "N", "so many seconds of the extension in one, up to 100; 1 if not given"),
        ],
        example: "simulate --store phone push.apns", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        var app = try app(invocation, try timeScale(invocation))
        let device = try invocation.openDeviceStore()
        let rehearsed = try invocation.isDryRun ? RehearsedContainer(of: app.container) : nil
        defer { withExtendedLifetime(rehearsed) {} }
        if let rehearsed { app.container = rehearsed.path }
        let refusal = try refusal(invocation)
        if invocation.has("drain") {
            guard invocation.arguments.isEmpty else { throw invocation.usage("--drain takes no payload") }
            for option in ["html", "aps-environment", "sent-to"] where invocation.has(option) {
                throw invocation.usage("--drain takes no --\(option)")
            }
            return try SimulateDrain(invocation, app).run(on: SimulatedDevice(device))
        }
        let file = try InputError.naming(invocation.inputPath) { try APNsFile(try Input.readLine(invocation.inputPath)) }
        let html = try invocation.newFile(invocation.value("html"))
        let name = invocation.value("app")
        if let refusal = refusal ?? file.refusal {
            try html?.commit(SimulationPage(file, app: name, undelivered: refusal).bytes)
            return SimulationView.view(undelivered: refusal).report(.no)
        }
        if file.app == nil, invocation.inputPath.hasSuffix(".apns") {
            invocation.note("it names no Simulator Target Bundle: dragged onto Xcode's simulator it would be ignored without a word")
        }
        if let obstacle = file.obstacle(app: name) {
            try html?.commit(SimulationPage(file, app: name, obstacle: obstacle).bytes)
            return SimulationView.view(of: file, obstacle: obstacle).report(.no)
        }
        let lockState = try device.store.lockState
        var status = ExitStatus.tryAgain
        let rest = "run it again; or, where the extension had begun, a minute later: keyctl simulate --drain"
        var job = LongJob(invocation, hint: invocation.isDryRun ? "it was a dry run, and nothing is kept" : rest)
        defer { job.finish() }
        try SimulatedDevice(device).receive(
            file, identifier: "request-\(invocation.clock)-\(getpid())", app: app, now: invocation.clock,
            remembers: !invocation.isDryRun, while: { job.goesOn("seconds", done: $0) },
            show: { result in
                job.finish()
                status = result.ending == .delivered ? .done : .no
                if let failure = result.failure {
                    invocation.console.report(CommandError(reporting: failure, as: failure.keychainStatus))
                }
                for reason in SimulationReasons.lines(result, lockState: lockState) { invocation.note(reason) }
                let templates = (try? Templates(try ContainerDirectory(app.container), languages: []).refused()) ?? []
                try html?.commit(SimulationPage(file, app: name, result, refused: templates).bytes)
                // Printed before it counts as shown, so that what was printed nowhere is there the next time.
                var report = SimulationView.view(of: file, result, refused: templates, isRehearsed: invocation.isDryRun).report(status)
                try report.print(to: invocation.console.output, asJSON: invocation.isJSON)
            })
        return .silent(status)
    }

    /// The seconds of an extension's clock that one second is. Of more than a hundred a machine at work has none left for opening.
    private static func timeScale(_ invocation: Invocation) throws -> Int {
        guard let text = invocation.value("time-scale") else { return 1 }
        guard let scale = WholeNumber.parse(text), (1...100).contains(scale) else {
            throw invocation.usage("--time-scale is none of 1 to 100")
        }
        return Int(scale)
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
        let (token, service) = (try environment("aps-environment"), try environment("sent-to"))
        guard let token, let service else {
            guard token == nil, service == nil else { throw invocation.usage("--aps-environment and --sent-to need each other") }
            return nil
        }
        return service.refusal(ofTokenFrom: token)
    }

    private static func app(_ invocation: Invocation, _ timeScale: Int) throws -> SimulatedApp {
        var app = SimulatedApp(
            program: try program(), container: try container(invocation))
        app.accessGroup = invocation.value("access-group")
        app.isSealedOnly = invocation.has("sealed-only")
        app.canSuppress = invocation.has("can-suppress")
        app.languages = try SimulateOptions.languages("language", invocation)
        app.baseLanguage = try SimulateOptions.languages("base-language", invocation).first
        app.images = try SimulateOptions.images(invocation)
        if let file = invocation.value("ca") {
            try AuthoritiesFile.check(file)
            app.authorities = file
        }
        app.timeScale = timeScale
        return app
    }

    private static func container(_ invocation: Invocation) throws -> String {
        let store = try invocation.storeDirectory()
        guard let path = invocation.value("container") else { return store + "/container" }
        guard !path.isEmpty else { throw invocation.usage("--container is empty") }
        var (own, other) = (stat(), stat())
        guard stat(path, &other) == 0 else { return path }
        if stat(store, &own) == 0, own.st_dev == other.st_dev, own.st_ino == other.st_ino {
            throw invocation.usage("--container is the store's own folder", hint: "name a folder for what app and extension share")
        }
        // In one for temporary files nobody can remove what others have made.
        if other.st_mode & S_IWOTH != 0, other.st_mode & S_ISVTX == 0 {
            invocation.note("everybody can write into the shared container \(PrintableText.escape(path)), and take its messages away")
        }
        return path
    }

    /// Beside this program.
    private static func program() throws -> String {
        guard let own = SystemFile.link("/proc/self/exe") else { throw SystemError.failure(errno, path: "/proc/self/exe") }
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/waxwing-extension"
    }
}
