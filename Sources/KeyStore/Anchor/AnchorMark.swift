internal import CryptoPrimitives

/// What an anchor file says: which commit was the store's last, in lines of text under a MAC.
///
///     waxwing anchor 1
///     store 5b0c…
///     number 17
///     value 9d41…
///     mac 77aa…
struct AnchorMark: Equatable, Sendable {
    static let longestByteCount = 512
    /// What a file says before a store that names it is committed.
    static let begunNumber: Int64 = 0

    let store: String
    let number: Int64
    let value: [UInt8]

    var isBegun: Bool { number == Self.begunNumber }

    /// The file's whole content.
    func content(_ key: GuardedBytes) throws(KeyStoreError) -> [UInt8] {
        Array("\(text)mac \(Hexadecimal.encode(try mac(key)))\n".utf8)
    }

    /// What a file says and its MAC; nil for what is not byte for byte as it would be written.
    static func parse(_ content: [UInt8]) -> (mark: AnchorMark, mac: [UInt8])? {
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 6, let store = word(lines[1], "store"),
            let number = word(lines[2], "number").flatMap({ Int64($0) }),
            let value = word(lines[3], "value").flatMap({ Hexadecimal.decode(String($0)) }),
            let mac = word(lines[4], "mac").flatMap({ Hexadecimal.decode(String($0)) })
        else { return nil }
        let mark = AnchorMark(store: String(store), number: number, value: value)
        return content == Array("\(mark.text)mac \(Hexadecimal.encode(mac))\n".utf8) ? (mark, mac) : nil
    }

    func isAuthentic(_ mac: [UInt8], _ key: GuardedBytes) throws(KeyStoreError) -> Bool {
        constantTimeEqual(try self.mac(key), mac)
    }

    private var text: String {
        "waxwing anchor 1\nstore \(store)\nnumber \(number)\nvalue \(Hexadecimal.encode(value))\n"
    }

    private func mac(_ key: GuardedBytes) throws(KeyStoreError) -> [UInt8] {
        do { return try KeyedDigest.digest(of: Array(text.utf8), key: key) } catch {
            throw KeyStoreError(error, "anchor")
        }
    }

    private static func word(_ line: Substring, _ name: String) -> Substring? {
        line.hasPrefix("\(name) ") ? line.dropFirst(name.utf8.count + 1) : nil
    }
}
