import OpenerNSE

/// What came of one message.
struct Reception {
    /// From before the process was started until its handler was called.
    let seconds: Double
    /// What it had of the processors meanwhile.
    let processorSeconds: Double
    /// Resident at most, by the kernel's account.
    let peakByteCount: Int
    let image: AttachedImage?
    let events: [TelemetryEvent]

    /// What became of the image, in words.
    var imageText: String {
        if let image { return image.unscaled.map { "attached as it came: \($0.rawValue)" } ?? "attached, smaller" }
        for case .image(.failed(let failure)) in events { return "left out: \(failure.rawValue)" }
        return "none"
    }
}
