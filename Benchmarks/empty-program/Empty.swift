import CryptoPrimitives
import KeyStore

/// Does nothing, linked as keyctl is: what is left of a start-up when our own code is taken away.
@main
enum Empty {
    static func main() {
        if CommandLine.argc > 1_000 { print(ObjectIdentifier(Store.self), SymmetricKeySize.bits256.bitCount) }
    }
}
