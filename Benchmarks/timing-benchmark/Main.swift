import Glibc

/// Whether the time of an answer tells what it should not: Welch's t-test over two classes of inputs, as dudect has it (Reparaz,
/// Balasch, Verbauwhede, 2017). A report; nothing here passes or fails.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count <= 2, let seconds = Double(arguments.first ?? "10"), (0.1...3_600).contains(seconds) else {
            print("usage: timing-benchmark [SECONDS-FOR-A-PAIR [NAME]]")
            exit(64)
        }
        let name = arguments.dropFirst().first ?? ""
        let pairs = try
            (Comparisons.pairs() + SecretTexts.pairs() + DirectMessages.pairs() + DeviceMessages.pairs() + SplitMessages.pairs())
            .filter { $0.name.hasPrefix(name) }
        print("| what | classes | samples of each | medians | ratio | t, all | largest t, cropped |")
        print("|---|---|---|---|---|---|---|")
        for pair in pairs {
            print(pair.measured(seconds: seconds).row)
            fflush(nil)
        }
    }
}
