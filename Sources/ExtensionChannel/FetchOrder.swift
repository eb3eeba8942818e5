import EnvelopeFormat
public import OpenerNSE

/// What is to be fetched for an extension.
public struct FetchOrder: Sendable {
    public let request: ImageRequest

    public init(_ request: ImageRequest) { self.request = request }

    public var message: ChannelMessage {
        let (seconds, attoseconds) = request.budget.components
        return ChannelMessage(
            "fetch",
            [
                JSONMember("url", .string(request.address.text)), JSONMember("limit", .integer(request.byteLimit)),
                JSONMember("ms", .integer(max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))),
            ])
    }

    /// - Parameter policy: of the simulator, which is asked for nothing that it does not allow itself.
    /// - Throws: ``ImageFailure`` for an address that is not allowed.
    public init(_ message: ChannelMessage, policy: AddressPolicy) throws {
        guard message.name == "fetch", let url = message.json["url"]?.text,
            let limit = message.json["limit"]?.plainInteger, let time = message.json["ms"]?.plainInteger
        else { throw ChannelError.malformed("fetch") }
        request = ImageRequest(
            address: try policy.check(url), policy: policy, byteLimit: Int(limit), budget: .milliseconds(time))
    }
}
