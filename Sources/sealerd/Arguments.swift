/// What the command line asks for.
enum Arguments: Equatable {
    case help, version
    case check(String)
    case serve(String)
    case token(file: String, name: String, scopes: [String])

    static let helpText = """
        sealerd seals pushes for backends over HTTP.

          sealerd --config FILE            serve as FILE says (docs/backend.md)
          sealerd --config FILE --check    read FILE, say what is wrong with it, and end
          sealerd token --file FILE --name NAME --scope SCOPE...
                                           add a token to FILE, which is made if it is not there, and print it, this once;
                                           scopes are seal, provision, admin
          sealerd --version, --help

        Signals: SIGTERM and SIGINT stop it once what runs is answered, SIGHUP reads tokens and certificates anew.
        Exit codes: 0 stopped, 64 the command line is wrong, 65 bad input, 69 the store or the cryptography cannot be used,
        75 stopped with requests that were not answered, 78 the configuration is wrong.

        """

    init(_ words: [String]) throws(ArgumentsError) {
        if words.contains("--help") || words.contains("-h") {
            self = .help
            return
        }
        if words == ["--version"] {
            self = .version
            return
        }
        let isToken = words.first == "token"
        var values: [String: [String]] = [:]
        var flags: Set<String> = []
        var rest = words[(isToken ? 1 : 0)...]
        while let word = rest.popFirst() {
            if !isToken, word == "--check" {
                flags.insert(word)
                continue
            }
            guard (isToken ? ["--file", "--name", "--scope"] : ["--config"]).contains(word) else {
                throw ArgumentsError(reason: "\(word.utf8.starts(with: "--".utf8) ? "unknown option" : "unknown word") \(word)")
            }
            guard let value = rest.popFirst(), !value.isEmpty else { throw ArgumentsError(reason: "\(word) needs a value") }
            values[word, default: []].append(value)
        }
        func one(_ name: String) throws(ArgumentsError) -> String {
            guard let given = values[name] else { throw ArgumentsError(reason: "\(name) is missing") }
            guard given.count == 1 else { throw ArgumentsError(reason: "\(name) is given twice") }
            return given[0]
        }
        if isToken {
            guard let scopes = values["--scope"] else { throw ArgumentsError(reason: "--scope is missing") }
            self = .token(file: try one("--file"), name: try one("--name"), scopes: scopes)
        } else {
            self = flags.contains("--check") ? .check(try one("--config")) : .serve(try one("--config"))
        }
    }
}
