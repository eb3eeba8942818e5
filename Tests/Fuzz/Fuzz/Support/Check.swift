import CFuzzMeter
import Glibc

/// The fault that is planted in what a fuzzer looks at, as a wrong library would have it; nil but for the self-test.
nonisolated(unsafe) var plantedFault: Property?

func isPlanted(_ property: Property) -> Bool { plantedFault == property }

/// The bytes; with the fault planted, other ones.
func altered(_ property: Property, _ bytes: [UInt8]) -> [UInt8] { isPlanted(property) ? bytes + [0x21] : bytes }

/// Whether the input is one of so many for which a slower check is made: what it would find shows in some inputs as well as in all.
func isOne(of number: Int, _ input: [UInt8]) -> Bool { (input.count &+ Int(input.last ?? 0)) % number == 0 }

/// Whether both are the same bytes; without a comparison for each of them that libFuzzer would look at.
func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count
        && one.withUnsafeBytes { one in
            other.withUnsafeBytes { one.isEmpty || memcmp(one.baseAddress!, $0.baseAddress!, $0.count) == 0 }
        }
}

/// Ends the run with a finding unless the condition holds.
func require(_ property: Property, _ holds: Bool, _ what: StaticString) {
    if !holds { violation("\(property.rawValue): \(what)") }
}

func violation(_ text: String) -> Never {
    Files.say("VIOLATION \(text)")
    abort()
}

/// How much memory reading may take at any one time: so much for each byte of input, and so much besides.
struct Bound {
    let factor: Int
    let constant: Int

    /// The largest share of a bound that was used so far, in thousandths.
    nonisolated(unsafe) static var largestShare = 0
    nonisolated(unsafe) static var largestPeak = 0

    /// Runs the body and holds what it allocates to the bound.
    func measured<Value, Failure: Error>(_ byteCount: Int, _ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let most = factor * byteCount + constant
        fuzz_meter_begin()
        if isPlanted(.bound) { fuzz_meter_plant(most + 1) }
        defer {
            let peak = Int(fuzz_meter_end())
            if peak > most { violation("bound: \(peak) bytes for an input of \(byteCount), where \(most) are allowed") }
            Self.largestPeak = max(Self.largestPeak, peak)
            Self.largestShare = max(Self.largestShare, peak * 1_000 / most)
        }
        return try body()
    }
}
