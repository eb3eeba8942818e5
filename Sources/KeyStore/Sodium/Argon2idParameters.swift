/// How much work one guess of a passphrase takes (RFC 9106: passes t and memory m; the parallelism p is 1, as libsodium
/// has it).
public struct Argon2idParameters: Equatable, Sendable {
    /// The passes over the memory that are accepted.
    public static let acceptedPasses = 1...10

    /// The memory in MiB that is accepted: a hostile file must not eat the machine's.
    public static let acceptedMemoryMiB = 8...1024

    /// 3 passes over 256 MiB.
    public static let standard = Argon2idParameters(uncheckedPasses: 3, memoryMiB: 256)

    /// The number of passes over the memory.
    public let passes: Int

    /// The memory in MiB.
    public let memoryMiB: Int

    /// - Throws: ``SodiumError/outOfRange(parameter:value:)`` outside 1...10 passes or 8...1024 MiB.
    public init(passes: Int, memoryMiB: Int) throws(SodiumError) {
        guard Self.acceptedPasses.contains(passes) else {
            throw .outOfRange(parameter: "Argon2id passes", value: passes)
        }
        guard Self.acceptedMemoryMiB.contains(memoryMiB) else {
            throw .outOfRange(parameter: "Argon2id memory in MiB", value: memoryMiB)
        }
        self.init(uncheckedPasses: passes, memoryMiB: memoryMiB)
    }

    private init(uncheckedPasses passes: Int, memoryMiB: Int) {
        self.passes = passes
        self.memoryMiB = memoryMiB
    }
}
