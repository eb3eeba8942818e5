import BackendJSON
import EnvelopeFormat

/// `completions`: the completion script of a shell.
enum CompletionsCommand {
    static let row = Command(
        "completions", "print the completion script of a shell",
        arguments: [
            ArgumentSpec("bash|zsh|fish", "the shell", completion: .words(["bash", "zsh", "fish"]))
        ],
        example: "completions bash", role: .none, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let script: String
        switch invocation.arguments.first {
        case "bash": script = BashCompletion(table: invocation.table).script()
        case "zsh": script = ZshCompletion(table: invocation.table).script()
        case "fish": script = FishCompletion(table: invocation.table).script()
        default: throw invocation.usage("the shell is none of bash, zsh, fish")
        }
        return Report(plain: Array(script.utf8), json: .members(["script": .string(script)]))
    }
}
