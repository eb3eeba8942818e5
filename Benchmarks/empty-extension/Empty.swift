import CryptoPrimitives
import ImageScaler

/// Does nothing, linked as waxwing-extension is: what is left of its start when our own code is taken away.
@main
enum Empty {
    static func main() {
        if CommandLine.argc > 1_000 { print(FileScaler.isAvailable, SymmetricKeySize.bits256.bitCount) }
    }
}
