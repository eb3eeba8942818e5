import CFuzzMeter
import EnvelopeFormat
import FoundationEssentials
import Glibc

/// The program around a fuzzer. What it is to do stands in the environment, as all arguments are libFuzzer's:
///
///     WAXWING_FUZZER         which one
///     WAXWING_FUZZ_RINGS     the file of devices that seeds.py wrote
///     WAXWING_FUZZ_OPENED    a folder for a sample of the inputs that were accepted
///     WAXWING_FUZZ_PLANT     a property that is to be found violated
///     WAXWING_FUZZ_EXCHANGE  1: of the files and folders that are the arguments, print what the second implementation is asked
///     WAXWING_FUZZ_LIST      1: print the fuzzers and their properties
enum Program {
    static var all: [(name: String, type: any Fuzzer.Type)] {
        [
            ("payload", PayloadFuzzer.self), ("json", JSONFuzzer.self), ("jwe", JWEFuzzer.self), ("base64url", Base64URLFuzzer.self),
            ("claims", ClaimsFuzzer.self), ("bundle", BundleFuzzer.self), ("enrollment", EnrollmentFuzzer.self),
            ("templates", TemplateFuzzer.self), ("attachment", AttachmentFuzzer.self), ("rows", RowFuzzer.self),
        ]
    }

    nonisolated(unsafe) private static var fuzzer: (any Fuzzer)?
    nonisolated(unsafe) private static var sample = OpenedSample()
    private static let environment = ProcessInfo.processInfo.environment

    static func run() throws -> Int32 {
        if environment["WAXWING_FUZZ_LIST"] != nil {
            for (name, type) in all { print(name, type.properties.map(\.rawValue).sorted().joined(separator: " ")) }
            return 0
        }
        guard let type = all.first(where: { $0.name == environment["WAXWING_FUZZER"] })?.type, let rings = environment["WAXWING_FUZZ_RINGS"]
        else {
            Files.say("fuzz: to be run by scripts/fuzz")
            return 64
        }
        let fuzzer = try type.init(Rings(json: JSONValue.parse(Files.read(rings))))
        plantedFault = environment["WAXWING_FUZZ_PLANT"].flatMap { Property(rawValue: $0) }
        Self.fuzzer = fuzzer
        if environment["WAXWING_FUZZ_EXCHANGE"] != nil { return try printExchanges(fuzzer) }
        atexit { Program.finish() }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        return LLVMFuzzerRunDriver(&count, &arguments) { data, count in Program.once(UnsafeBufferPointer(start: data, count: count)) }
    }

    private static func once(_ input: UnsafeBufferPointer<UInt8>) -> Int32 {
        let input = Array(input)
        do {
            if try fuzzer?.run(input) == true { sample.add(input) }
        } catch { violation("an error that is not expected: \(error)") }
        return 0
    }

    private static func finish() {
        Files.say("METER largest peak \(Bound.largestPeak) bytes, largest share of a bound \(Bound.largestShare) in 1000")
        guard let folder = environment["WAXWING_FUZZ_OPENED"] else { return }
        do {
            for (hash, input) in sample.inputs { try Files.write(input, to: "\(folder)/\(hash)") }
        } catch { Files.say("fuzz: the sample could not be written: \(error)") }
    }

    private static func printExchanges(_ fuzzer: any Fuzzer) throws -> Int32 {
        for folder in CommandLine.arguments.dropFirst() {
            for path in try Files.list(folder) {
                if let exchange = try fuzzer.exchange(Files.read(path)) { Files.printLine(exchange.write()) }
            }
        }
        return 0
    }
}
