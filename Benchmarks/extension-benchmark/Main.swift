import Glibc

/// What the process of a simulated extension costs: its start, and its memory with and without an image. Nothing here passes or fails.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        switch (arguments.dropFirst().first, arguments.count) {
        case ("start-up", 4): try StartUp.compare(program: arguments[2], empty: arguments[3])
        case ("memory", 3): try MemoryPeaks.print(program: arguments[2])
        case ("once", 3): _ = try BarePhone().receive(program: arguments[2])
        default:
            print("usage: extension-benchmark start-up EXTENSION EMPTY | memory EXTENSION | once EXTENSION")
            exit(64)
        }
    }
}
