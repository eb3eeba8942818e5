/// A `kid`: the handle of a secret and the number of the epoch it was ratcheted to, `handle "." n`.
public struct KeyIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The last epoch there is; past it only a rekey is left.
    public static let lastEpoch = 65_535

    public let handle: Handle
    /// 0 to 65,535.
    public let epoch: Int

    /// - Throws: ``FormatError`` when the epoch is outside 0 to 65,535.
    public init(handle: Handle, epoch: Int) throws(FormatError) {
        guard (0...Self.lastEpoch).contains(epoch) else {
            throw FormatError(field: "kid", reason: "epoch \(epoch) is outside 0 to \(Self.lastEpoch)")
        }
        self.handle = handle
        self.epoch = epoch
    }

    /// Reads `handle "." n`, n decimal without a leading zero; nil for anything else.
    public init?(_ string: some StringProtocol) {
        let utf8 = Array(string.utf8)
        guard (18...22).contains(utf8.count), utf8[16] == UInt8(ascii: "."),
            let handle = Handle(String(decoding: utf8[..<16], as: UTF8.self))
        else { return nil }
        let digits = utf8[17...]
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let epoch = Int(String(decoding: digits, as: UTF8.self)), epoch <= Self.lastEpoch
        else { return nil }
        self.handle = handle
        self.epoch = epoch
    }

    public var description: String { "\(handle.string).\(epoch)" }

    /// The same handle at another epoch, nil past the last.
    public func at(epoch: Int) -> KeyIdentifier? { try? KeyIdentifier(handle: handle, epoch: epoch) }
}
