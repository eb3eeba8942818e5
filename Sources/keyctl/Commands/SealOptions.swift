import EnvelopeFormat
import Sealer

/// The request that `seal` was given: the JSON object of `--request`, overridden by options.
enum SealOptions {
    /// Reads all input; no store is needed for it.
    static func request(_ invocation: Invocation) throws -> SealRequest {
        guard !(invocation.value("request") == "-" && invocation.value("body-file") == "-") else {
            throw invocation.usage("--request and --body-file cannot both be standard input")
        }
        var request = try base(invocation)
        if let device = invocation.value("device") { request.device = device }
        if let title = invocation.value("title") { request.content.title = title }
        if let path = invocation.value("body-file") { request.content.body = try body(path) }
        if let type = invocation.value("type") { request.type = type }
        if let platform = try invocation.choice("platform", of: Platform.self) { request.platform = .init(platform) }
        if let padding = try invocation.choice("padding", of: Padding.self) { request.padding = padding }
        if let overflow = try invocation.choice("overflow", of: Overflow.self) { request.overflow = overflow }
        if let expires = try invocation.time("expires") { request.expires = expires }
        return request
    }

    private static func base(_ invocation: Invocation) throws -> SealRequest {
        guard let path = invocation.value("request") else {
            guard invocation.has("conversation") else { throw invocation.usage("--conversation CID is missing") }
            return SealRequest(conversation: try invocation.conversation())
        }
        let conversation = invocation.has("conversation") ? try invocation.conversation() : nil
        return try InputError.naming(path) {
            let json = try JSONValue.parse(try Input.read(path))
            guard let members = json.members, let conversation else { return try SealRequest(json) }
            let member = JSONMember("conversation", .string(conversation.string))
            return try SealRequest(.object(members.filter { $0.name != "conversation" } + [member]))
        }
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
