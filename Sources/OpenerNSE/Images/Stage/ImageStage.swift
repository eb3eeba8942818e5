internal import CryptoPrimitives

/// From an image's address to a file that is attached: fetched into a private directory, checked, opened, made smaller.
///
/// The hash is over the bytes as fetched and compared before anything is decrypted or decoded. Nothing is left behind but the file
/// that is attached; what a killed process left goes when another image is attached later.
public struct ImageStage: ImageAttaching {
    /// After so many seconds a file in the directory is nobody's any more: the system gives 30, and takes what is attached at once.
    static let leftoverAge: Int64 = 600
    private static let pieceLength = 32 << 10

    private let fetcher: any ImageFetching
    private let scaler: (any ImageScaling)?
    private let policy: AddressPolicy
    private let limits: ImageLimits
    private let directory: WorkDirectory

    /// - Parameters:
    ///   - path: a directory of its own, which nothing else writes into; made where it is not there.
    ///   - scaler: nil: images are attached as they are, where the system takes them.
    public init(
        directory path: String, fetcher: any ImageFetching, scaler: (any ImageScaling)?,
        policy: AddressPolicy = AddressPolicy(), limits: ImageLimits = ImageLimits()
    ) throws(ContainerError) {
        directory = try WorkDirectory(path)
        self.fetcher = fetcher
        self.scaler = scaler
        self.policy = policy
        self.limits = limits
    }

    public func attach(
        _ source: ImageSource, within budget: Duration, isWanted: @Sendable () -> Bool
    ) throws(ImageFailure) -> AttachedImage {
        try withoutActuallyEscaping(isWanted) { isWanted throws(ImageFailure) in
            try attach(ImageClaim(source), StageTime(budget, isWanted: isWanted))
        }
    }

    private func attach(_ claim: ImageClaim, _ time: StageTime) throws(ImageFailure) -> AttachedImage {
        let address = try policy.check(claim.url)
        directory.removeLeftovers(olderThan: Self.leftoverAge)
        let fetched = try made()
        try fetch(address, claim, into: fetched, time)
        guard let key = claim.key else { return try finish(fetched, time) }
        let opened = try made()
        try open(fetched, key: key, into: opened, time)
        return try finish(opened, time)
    }

    private func made() throws(ImageFailure) -> WorkFile {
        do { return try directory.make() } catch { throw .storage }
    }

    private func fetch(_ address: ImageAddress, _ claim: ImageClaim, into file: WorkFile, _ time: StageTime) throws(ImageFailure) {
        var intake = ImageIntake(file: file, byteLimit: limits.fetchedByteCount, hash: claim.hash)
        // A type that is not shown or a size that never fits ends a fetch early, but only where nothing has to be checked before.
        let isReadable = if case (nil, nil) = (claim.hash, claim.key) { true } else { false }
        let request = ImageRequest(
            address: address, policy: policy, byteLimit: limits.fetchedByteCount, budget: try time.left())
        do throws(ImageFailure) {
            try fetcher.fetch(request, isWanted: time.isWanted) { bytes in
                guard time.isLeft else { return intake.stop(.timeout) }
                guard intake.add(bytes) else { return false }
                return !isReadable || intake.look(at: bytes) { ImagePlan($0, byteCount: nil, limits: limits, scaler: scaler) }
            }
        } catch {
            // What was found here comes before what the fetcher made of being stopped.
            throw intake.failure ?? error
        }
        try intake.finish()
    }

    private func open(_ sealed: WorkFile, key: SymmetricKey, into file: WorkFile, _ time: StageTime) throws(ImageFailure) {
        let stream = try AttachmentStream(key: key)
        var intake = ImageIntake(file: file, byteLimit: limits.fetchedByteCount, hash: nil)
        try sealed.pieces(of: Self.pieceLength) { bytes throws(ImageFailure) in
            _ = try time.left()
            guard intake.add(try stream.open(bytes)) else { return false }
            return true
        }
        if intake.failure == nil { _ = intake.add(try stream.finish()) }
        try intake.finish()
    }

    /// The header, the plan, and what it says.
    private func finish(_ file: WorkFile, _ time: StageTime) throws(ImageFailure) -> AttachedImage {
        var reader = ImageHeaderReader()
        try file.pieces(of: Self.pieceLength) { bytes throws(ImageFailure) in reader.read(bytes) == .needsMore }
        let header: ImageHeader
        do { header = try reader.finish() } catch { throw error.failure }
        switch ImagePlan(header, byteCount: file.byteCount, limits: limits, scaler: scaler) {
        case .leaveOut(let failure): throw failure
        case .attachUnscaled(let reason):
            try WholeImage.check(file, header.type, time)
            _ = try time.left()
            do {
                let path = try file.keep(extension: header.type.fileExtension)
                return AttachedImage(path: path, type: header.type, unscaled: reason)
            } catch { throw .storage }
        case .scale:
            guard let scaler else { throw .noDecoder }
            let order = ScalingOrder(
                path: file.path, header: header, outputStem: directory.newStem(), longestSide: limits.longestSide,
                budget: try time.left())
            return try scaler.scale(order)
        }
    }
}
