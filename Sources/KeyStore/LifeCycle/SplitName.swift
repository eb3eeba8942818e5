internal import CryptoPrimitives

/// What a split key is called where its bytes are not shown: `split:` and the first 8 hexadecimal digits of
/// HMAC-SHA-256(key, "waxwing/1 split-id").
enum SplitName {
    static func make(of key: SymmetricKey) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("waxwing/1 split-id".utf8), using: key)
        return "split:" + Hexadecimal.encode(Array(Array(code).prefix(4)))
    }
}
