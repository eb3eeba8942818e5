import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat

/// What the classes are made of, new in each run.
enum RandomInputs {
    /// Of each class.
    static let count = 64

    static func pairs<Input>(_ make: () throws -> (first: Input, second: Input)) rethrows -> [(first: Input, second: Input)] {
        try (0..<count).map { _ in try make() }
    }

    static func bytes(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try RandomPool.fill($0) }
        return bytes
    }

    static func conversationKey() throws -> KeyIdentifier {
        try KeyIdentifier(handle: Handle(bytes: try bytes(Handle.byteCount)), epoch: 0)
    }

    /// A plaintext as long as a padded message.
    static func message() throws -> [UInt8] { try bytes(256) }

    static func text(_ parts: [[UInt8]], header: [UInt8]) -> [UInt8] {
        Array(([String(decoding: header, as: UTF8.self)] + parts.map { Base64URL.encode($0) }).joined(separator: ".").utf8)
    }
}

extension [UInt8] {
    /// With the lowest bit of one byte turned.
    func turned(at index: Int) -> [UInt8] {
        var turned = self
        turned[index] ^= 1
        return turned
    }
}

/// Ends the run where something opened that was made not to.
func expectNotAuthentic(_ body: () throws(Outcome) -> [UInt8]) {
    do {
        _ = try body()
        fatal("it opened")
    } catch {
        guard error == .notAuthentic else { fatal("the outcome is \(error)") }
    }
}
