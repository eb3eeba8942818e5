import EnvelopeFormat
import KeyStore
import Sealer

/// The request that `seal` was given: the JSON object of `--request`, overridden by options.
struct SealOptions {
    private let invocation: Invocation
    private let file: [UInt8]?
    private let body: String?

    /// Reads all input before a store is opened.
    init(_ invocation: Invocation) throws {
        guard !(invocation.value("request") == "-" && invocation.value("body-file") == "-") else {
            throw invocation.usage("--request and --body-file cannot both be standard input")
        }
        guard invocation.has("request") || invocation.has("conversation") else {
            throw invocation.usage("--conversation CID is missing")
        }
        self.invocation = invocation
        file = try invocation.value("request").map { path throws(CommandError) in try Input.read(path) }
        body = try invocation.value("body-file").map(Self.body)
    }

    /// The request as it is to be sealed.
    func request(on sealer: SealerStore) throws -> SealRequest {
        var request = try file.map { bytes throws(FormatError) in try SealRequest(parsing: bytes) }
            ?? SealRequest(conversation: try invocation.conversation())
        if invocation.has("conversation") { request.conversation = try invocation.conversation() }
        if let device = invocation.value("device") { request.device = try sealer.device(matching: device).thumbprint }
        if let title = invocation.value("title") { request.title = title }
        if let body { request.body = body }
        if let type = invocation.value("type") { request.type = type }
        if let platform = try invocation.choice("platform", of: Platform.self) { request.platform = .init(platform) }
        if let padding = try invocation.choice("padding", of: Padding.self) { request.padding = padding }
        if let overflow = try invocation.choice("overflow", of: Overflow.self) { request.overflow = overflow }
        if let expires = try invocation.time("expires") { request.expires = expires }
        return request
    }

    private static func body(_ path: String) throws -> String {
        var bytes = try Input.read(path)
        if bytes.last == 0x0A { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.badInput, path == "-" ? "standard input" : path, "is not UTF-8")
        }
        return text
    }
}
