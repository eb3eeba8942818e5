import OpenerNSEApple
import UserNotifications
import os

/// What the app does for its extension: enroll, take bundles, show what waited for an unlock.
///
/// An actor, since the keychain and the locks of files may take their time, and the main thread has none.
actor ChatSession {
    private let backend: Backend
    private let settings: OpenerSettings

    init(backend: Backend, settings: OpenerSettings = .chat) {
        self.backend = backend
        self.settings = settings
    }

    /// Once there is an address for pushes.
    func start(token: Data) async {
        do {
            let thumbprint = try await enroll()
            try await backend.register(token: token, thumbprint: thumbprint)
            try await takeBundles()
        } catch {
            log("start: \(error)")
        }
    }

    /// Makes the identity the first time, and gives it to the backend until that has it.
    func enroll() async throws -> DeviceThumbprint {
        let app = try OpenerApp(settings)
        if try app.identity.thumbprint() == nil {
            _ = try app.identity.make(name: "iPhone")
        }
        let document = try app.identity.enrollmentDocument()
        try await backend.enroll(document)
        return document.thumbprint
    }

    /// Installs what waits, and says so: a bundle that is not acknowledged comes again.
    func takeBundles() async throws {
        let app = try OpenerApp(settings)
        for text in try await backend.bundles() {
            let result = app.accept(bundle: text)
            switch result.outcome {
            case .installed:
                if let sequence = result.bundle?.sequence { try await backend.acknowledge(sequence) }
            case .keyLocked:
                // It waits at the backend; the phone asks again when it is unlocked.
                return
            case .replayed where result.already:
                if let sequence = result.bundle?.sequence { try await backend.acknowledge(sequence) }
            default:
                log("bundle: \(result.outcome.rawValue)")
            }
        }
    }

    /// When the app comes to the front, and when the phone is unlocked.
    func catchUp() async {
        do {
            let app = try OpenerApp(settings)
            let report = try await app.drain()
            if report.unopened > 0 { log("\(report.unopened) do not open") }
            let needed = try app.takeBundleNotes()
            if !needed.isEmpty { log("\(needed.count) bundles are missing") }
            try app.eraseEnded()
            if try app.identity.thumbprint() != nil { try await takeBundles() }
        } catch {
            log("catching up: \(error)")
        }
    }

    /// Once a day or so.
    func report() async throws {
        try await backend.report(try OpenerApp(settings).telemetry())
    }

    nonisolated func log(_ line: String) {
        Logger(subsystem: settings.logSubsystem, category: "app").error("\(line, privacy: .public)")
    }
}
