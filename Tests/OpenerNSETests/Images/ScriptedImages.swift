import CryptoPrimitives
import EnvelopeFormat
import Foundation
import OpenerNSE

/// Hands over bytes that were given to it.
final class ScriptedFetcher: ImageFetching {
    private let bytes: [UInt8]
    private let pieceLength: Int
    /// Thrown at the end, or when it is stopped, as fetchers may.
    private let failure: ImageFailure?
    private let given = Mutex(0)
    private let calls = Mutex<[String]>([])

    init(_ bytes: [UInt8], by pieceLength: Int = 1000, failure: ImageFailure? = nil) {
        self.bytes = bytes
        self.pieceLength = pieceLength
        self.failure = failure
    }

    /// How many bytes it was asked for.
    var count: Int { given.withLock { $0 } }
    /// The hosts and targets that were asked for.
    var requests: [String] { calls.withLock { $0 } }

    func fetch(
        _ request: ImageRequest, isWanted: @Sendable () -> Bool, into body: ([UInt8]) -> Bool
    ) throws(ImageFailure) {
        calls.withLock { $0.append(request.address.host + request.address.target) }
        for start in stride(from: 0, to: bytes.count, by: pieceLength) {
            let piece = Array(bytes[start..<min(start + pieceLength, bytes.count)])
            given.withLock { $0 += piece.count }
            guard body(piece) else { break }
        }
        if let failure { throw failure }
    }
}

/// Writes a file of one word, and remembers what it was asked.
final class ScriptedScaler: ImageScaling {
    private let cost: Int?
    private let failure: ImageFailure?
    private let orders = Mutex<[ScalingOrder]>([])

    init(cost: Int? = 1000, failure: ImageFailure? = nil) {
        self.cost = cost
        self.failure = failure
    }

    var all: [ScalingOrder] { orders.withLock { $0 } }

    func memory(for header: ImageHeader, longestSide: Int) -> Int? { header.type == .heic ? nil : cost }

    func scale(_ order: ScalingOrder) throws(ImageFailure) -> AttachedImage {
        orders.withLock { $0.append(order) }
        if let failure { throw failure }
        let path = order.outputStem + ".jpg"
        guard FileManager.default.createFile(atPath: path, contents: Data("smaller".utf8)) else { throw .storage }
        return AttachedImage(path: path, type: .jpeg)
    }
}

/// A key, and what is sealed with it as the attachment spec says.
struct SealedImage {
    static let key = SymmetricKey(data: [UInt8](repeating: 5, count: 32))

    static func seal(_ bytes: [UInt8]) throws -> [UInt8] {
        let sealer = try AttachmentSealer(key: key)
        var sealed: [UInt8] = []
        try bytes.withUnsafeBytes { try sealer.update($0) { sealed += $0 } }
        try sealer.finish { sealed += $0 }
        return sealed
    }
}
