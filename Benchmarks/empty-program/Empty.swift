import CryptoPrimitives
import KeyStore

/// Does nothing but what every program of ours does first, linked as keyctl is: what is left of a start-up when our own code
/// is taken away.
@main
enum Empty {
    static func main() throws {
        try ProcessHardening.apply()
        if CommandLine.argc > 1_000 { print(ObjectIdentifier(Store.self), SymmetricKeySize.bits256.bitCount) }
    }
}
