import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat
import ExtensionChannel
import Glibc
import OpenerNSE
import Simulator

/// A phone that has one key in memory and no limits: what is measured of an extension on it is the extension's own.
final class BarePhone {
    private let conversation: ConversationIdentifier
    private let kid: KeyIdentifier
    private let key = SymmetricKey(size: .bits256)
    private let folder = try? TemporaryFolder()
    private let now = Int64(time(nil))
    private var count = 0

    init() throws {
        conversation = try ConversationIdentifier("benchmark")
        var bytes = [UInt8](repeating: 0, count: Handle.byteCount)
        try bytes.withUnsafeMutableBytes { try RandomPool.fill($0) }
        kid = try KeyIdentifier(handle: Handle(bytes: bytes), epoch: 0)
    }

    deinit { folder?.remove() }

    /// Has the program deal with a message of its own.
    /// - Parameter image: the file that is fetched; nil for a message without.
    func receive(program: String, image: [UInt8]? = nil) throws -> Reception {
        guard let folder else { fatal("no temporary folder") }
        count += 1
        let container = "\(folder.path)/\(count)"
        let order = ExtensionOrder(
            identifier: "\(count)", sealed: .string(try seal(hasImage: image != nil)), imageURL: nil, arrival: now,
            placeholder: ShownText(body: "New message"), allowsSplit: false, isSealedOnly: false, canSuppress: false,
            container: container, languages: [], timeScale: 1
        ).message
        let start = Clock.monotonic
        let child = try ExtensionChild(program)
        try child.channel.send(order)
        let message = try serve(child, image)
        let seconds = Clock.monotonic - start
        let processorSeconds = Clock.process(child.process)
        let shown = try ShownNotification(message.json["notification"] ?? .null)
        // Behind the handler something more may be done; it is over when the process has ended by itself.
        var peak = 0
        try child.channel.send(ChannelMessage("taken"))
        child.hangUp()
        while child.status() == nil {
            peak = max(peak, MemoryLimit.peak(of: child.process))
            usleep(200)
        }
        guard shown.text == ShownText(title: "Anna", body: "six") else { fatal("it did not open") }
        let lines = try TelemetryRing(try ContainerDirectory(container)).lines()
        return Reception(
            seconds: seconds, processorSeconds: processorSeconds,
            peakByteCount: max(peak, Int(message.json["peak_kib"]?.plainInteger ?? 0) * 1_024), image: shown.attachment,
            events: lines.map(\.event))
    }

    private func seal(hasImage: Bool) throws -> String {
        var content = Content()
        content.title = "Anna"
        content.body = "six"
        if hasImage { content.image = try ImageReference(url: "https://images.example/picture") }
        var bytes = [UInt8](repeating: 0, count: MessageIdentifier.byteCount)
        try bytes.withUnsafeMutableBytes { try RandomPool.fill($0) }
        let stamp = MessageStamp(
            identifier: try MessageIdentifier(bytes: bytes), validity: try Validity(issuedAt: now, expiresAt: nil),
            conversation: conversation)
        let frame = try PayloadFrame(type: "message", body: "", imageURL: nil, attributes: nil, limit: 4_096)
        let contentKey = try ConversationSecret(key).contentKey(in: conversation)
        let nonce = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: 12)
        let payload = try nonce.withUnsafeBytes { nonce in
            try frame.sealed(
                stamp, content, padding: .bucket, overflow: .error, encodedHeader: DirectEnvelope.encodedHeader(kid),
                key: AESGCMSealingKey(contentKey), nonce: nonce
            ).bytes
        }
        guard case .string(let text) = try SealedMember(payload: payload, limit: 4_096) else { fatal("no payload") }
        return text
    }

    /// Answers until the handler was called.
    private func serve(_ child: ExtensionChild, _ image: [UInt8]?) throws -> ChannelMessage {
        while true {
            // Without an image only one of the two says anything, and is waited for without a pause.
            if let image, !child.channel.isReadable(within: 1) {
                if child.fetches.isReadable(within: 0) { try send(image, child.fetches) }
                continue
            }
            let message = try child.channel.receive()
            if message.name == "shown" { return message }
            // Of what it tells nothing is answered.
            if message.name != "event" { try child.channel.send(answer(message)) }
        }
    }

    private func answer(_ message: ChannelMessage) -> ChannelMessage {
        switch message.name {
        case "epochs", "epochsIn":
            let epoch = HeldEpoch(
                conversation: conversation, algorithm: .dir, kid: kid, state: .active, openUntil: nil, accessible: .standard,
                installation: 1)
            return ChannelMessage("answer", [JSONMember("epochs", .array([epoch.json]))])
        case "secret": return ChannelMessage("answer", [HeldWord(Held.value(0)).member], secrets: [key])
        case "remember": return ChannelMessage("answer", [JSONMember("answer", .string(ReplayAnswer.new.rawValue))])
        default: return ChannelMessage("answer")
        }
    }

    /// In pieces as they come from a network.
    private func send(_ image: [UInt8], _ channel: MessageChannel) throws {
        _ = try channel.receive()
        var at = 0
        while at < image.count, !channel.isReadable(within: 0) {
            let end = min(image.count, at + 16 << 10)
            try channel.send(ChannelMessage("piece", bytes: Array(image[at..<end])))
            at = end
        }
        while channel.isReadable(within: 0) { _ = try channel.receive() }
        try channel.send(ChannelMessage("fetched"))
    }
}
