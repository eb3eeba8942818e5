import Glibc
import KeyStore

/// What a key store costs that holds very many conversations, with real `keyctl` processes. Nothing here passes or fails.
@main
enum Main {
    static func main() throws {
        try ProcessHardening.apply()
        let arguments = CommandLine.arguments
        if arguments.count == 6, arguments[1] == "seal", let count = Int(arguments[3]), let stride = Int(arguments[4]) {
            try SealingProcess(store: arguments[2], names: Names(count: count, stride: stride), stop: arguments[5]).run()
        } else if let run = Run(arguments.dropFirst()) {
            try run.run()
        } else {
            print("usage: million-benchmark KEYCTL FOLDER [CONVERSATIONS [STRIDE]]")
            exit(64)
        }
    }
}
