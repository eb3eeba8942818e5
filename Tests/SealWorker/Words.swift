/// The words of a command, and what is left of the line behind them.
struct Words {
    private var line: Substring

    init(_ line: String) { self.line = line[...] }

    mutating func next() throws -> String {
        let word = line.prefix { $0 != " " }
        guard !word.isEmpty else { throw WorkerError("a word is missing") }
        line = line.dropFirst(word.count + 1)
        return String(word)
    }

    mutating func number() throws -> Int64 {
        guard let number = Int64(try next()) else { throw WorkerError("a number is missing") }
        return number
    }

    var rest: String { String(line) }
}
