import EnvelopeFormat
import ExtensionChannel
import Glibc
import ImageScaler
import OpenerNSE

/// The extension of a simulated phone: a process of its own that is handed one notification, opens it and says what is shown.
///
/// Descriptor 3 is the channel to the simulator, which answers for keychain, replay record and fetches; of descriptor 4 a byte comes
/// when the system's time is up, and over descriptor 5 images are fetched. It ends when the simulator hangs up, and with it.
@main
enum Main {
    private static let channelDescriptor: Int32 = 3
    private static let expiryDescriptor: Int32 = 4
    private static let fetchDescriptor: Int32 = 5

    static func main() {
        guard [channelDescriptor, expiryDescriptor, fetchDescriptor].allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else {
            say("it is run by keyctl simulate")
            exit(64)
        }
        guard Hardening.apply() else {
            say("the process cannot be protected")
            exit(70)
        }
        guard ParentProcess.endsThis(channel: channelDescriptor) else {
            say("the simulator has ended")
            exit(70)
        }
        guard SmallStart.begin() else {
            say("OpenSSL does not start")
            exit(70)
        }
        do { try run(MessageChannel(owning: channelDescriptor)) } catch {
            say("\(error)")
            exit(70)
        }
    }

    private static func run(_ channel: MessageChannel) throws {
        let order = try ExtensionOrder(try channel.receive())
        // Touched page by page, or it would not be resident.
        let planted = [UInt8](repeating: 1, count: order.plantedByteCount)
        defer { withExtendedLifetime(planted) {} }
        let keychain = ChannelKeychain(channel)
        // What cannot be written costs what would be written, and never the notification.
        let container = try? ContainerDirectory(order.container)
        let opener = Opener(
            keychain: keychain, replays: keychain,
            configuration: OpenerConfiguration(allowsSplit: order.allowsSplit, placeholder: order.placeholder))
        let templates = container.map { Templates($0, languages: order.languages, baseLanguage: order.baseLanguage) }
        let images = try? ImageStage(
            directory: order.container + "/images", fetcher: ChannelFetcher(MessageChannel(owning: fetchDescriptor)),
            scaler: FileScaler.isAvailable ? FileScaler() : nil, policy: order.images)
        let pipeline = NotificationPipeline(
            opener: opener, rendering: templates, images: images, deferred: try? DeferredQueue(order.container + "/queue"),
            notes: container.map { BundleNotes($0) },
            telemetry: ToldTelemetry(ring: container.map { TelemetryRing($0) }, phone: keychain),
            scheduler: ScaledScheduler(scale: order.timeScale),
            configuration: PipelineConfiguration(isSealedOnly: order.isSealedOnly, canSuppress: order.canSuppress))
        let incoming = IncomingNotification(
            identifier: order.identifier, sealed: order.sealed, imageURL: order.imageURL, arrival: order.arrival)
        let run = pipeline.receive(incoming) { shown in
            let message = ChannelMessage(
                "shown", [JSONMember("notification", shown.json), JSONMember("peak_kib", .integer(PeakMemory.kibibytes))])
            // Shown is what the system has taken. Where it does not say so the process ends as if it had been killed: the handler
            // has not returned, and what was begun waits for the app.
            let answer = try? keychain.asking { channel throws(ChannelError) in try channel.ask(message) }
            guard answer?.name == "taken" else { _exit(EX_TEMPFAIL) }
        }
        // The system keeps the process; what was begun goes on until it is told, or hung up on.
        var byte: UInt8 = 0
        while read(expiryDescriptor, &byte, 1) == 1 { run.expire() }
        while !run.isEnded { usleep(1_000) }
    }

    private static func say(_ text: String) {
        let bytes = Array("waxwing-extension: \(text)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
