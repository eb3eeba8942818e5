import Glibc
import KeyStore

/// Seals per second beside a bare loop in the same run, and start-up times. Ratios are firmer than figures; nothing here
/// passes or fails.
@main
enum Main {
    static func main() throws {
        try ProcessHardening.apply()
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "start-up" {
            StartUp.compare(program: arguments[2], empty: arguments[3])
        } else if arguments.dropFirst() == ["self-test"] {
            try SelfTestTime.run()
        } else if let rates = SealRates(arguments.dropFirst()) {
            try rates.run()
        } else {
            print("usage: seal-benchmark [SECONDS [dir|HPKE-7]] | seal-benchmark start-up KEYCTL EMPTY | seal-benchmark self-test")
            exit(64)
        }
    }
}
