import EnvelopeFormat
import KeyStore
import Sealer

/// `seal`: seals a push.
enum SealCommand {
    static let row = Command(
        "seal", "seal a push; the payload on standard output, ready to send",
        details: [
            "What is to be sealed comes from --request, a JSON object, and from options, which override it. One "
                + "newline at the end of --body-file is not part of the body. A --title can be read in the list of "
                + "processes by everybody on this machine; one in the request cannot.",
            "With --json also headers, jti, kid and sizes, and one payload for each member where the conversation's "
                + "algorithm is HPKE-7; without it --device chooses the member.",
        ],
        options: [
            OptionSpec("conversation", "CID", "the conversation's name"),
            OptionSpec("device", "ID", "the member to seal to, with HPKE-7"),
            OptionSpec("title", "T", "the title"),
            OptionSpec("body-file", "FILE", "a file with the body; - for standard input", completion: .files),
            OptionSpec("request", "FILE", "the request, see docs/request.md; - for standard input", completion: .files),
            OptionSpec("type", "T", "the application's word for the kind of push"),
            .choice("platform", Platform.allCases.map(\.rawValue), "where it goes"),
            .choice("padding", Padding.allCases.map(\.rawValue), "how far the length is hidden"),
            .choice("overflow", Overflow.allCases.map(\.rawValue), "what becomes of a body that does not fit"),
            OptionSpec("expires", "DATE", "seconds since 1970 or RFC 3339"),
        ],
        example: "seal --store sealer --conversation chat-1 --title Anna --body-file body.txt", role: .sealer,
        changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let request = try SealOptions.request(invocation)
        let view = { (sealer: SealerStore) in try ConversationView.view(of: request.conversation, in: sealer) }
        return try invocation.change(viewing: view) { (sealer: SealerStore) in
            if !invocation.isJSON && !invocation.isDryRun {
                try SealReport.requireOne(request, try sealer.conversation(request.conversation), invocation)
            }
            let pushes = try PushSealer(sealer).seal(request, now: invocation.clock)
            for url in [request.content.image?.url, request.imageURL].compactMap(\.self) { ImageWarning.warn(of: url, invocation) }
            return try SealReport.report(pushes, request)
        }
    }
}
