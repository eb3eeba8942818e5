import EnvelopeFormat
import KeyStore

/// `config get`: the defaults of the store.
enum ConfigGetCommand {
    static let row = Command(
        "config get", "print what requests do not say, all or one",
        arguments: [
            ArgumentSpec(
                "NAME", "the default's name", isRequired: false,
                completion: .words(ConfigName.allCases.map(\.rawValue)))
        ],
        example: "config get --store sealer placeholder.body", role: .any, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let name = try invocation.arguments.first.map { try ConfigName.parse($0, invocation) }
        let store = try invocation.openStore()
        guard let name else { return try ConfigView.view(of: store).report }
        let value = name.value(in: try store.defaults())
        return Report(
            lines: value.map { [$0] } ?? [], json: .members([name.rawValue: value.map { .string($0) } ?? .null]))
    }
}
