import BackendJSON
import EnvelopeFormat

/// `man`: the manual, or the page of one command.
enum ManCommand {
    static let row = Command(
        "man", "print the manual, or a command's page, as roff",
        details: ["The page is made for man -l: keyctl man provision | man -l -"],
        arguments: [
            ArgumentSpec("COMMAND", "the words of a command's name", isRequired: false, isRepeatable: true)
        ],
        example: "man provision", role: .none, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let manual = ManualPage(table: invocation.table, programName: invocation.console.programName)
        let page: String
        if invocation.arguments.isEmpty {
            page = manual.program()
        } else {
            let name = invocation.arguments.flatMap { $0.split(separator: " ").map(String.init) }
            guard let command = invocation.table.command(name) else {
                throw CommandError(
                    .notFound, "man", "there is no command \(name.joined(separator: " "))", hint: "keyctl --help")
            }
            page = manual.page(of: command)
        }
        return Report(plain: Array(page.utf8), json: .members(["page": .string(page)]))
    }
}
