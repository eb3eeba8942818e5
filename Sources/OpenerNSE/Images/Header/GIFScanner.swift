/// From the start of a GIF to its first frame.
struct GIFScanner: HeaderScanner {
    private enum Place {
        case start, block, label, application, subBlock, frame
        case control
    }

    private var place = Place.start
    private var width = 0
    private var height = 0
    private var traits: ImageTraits = [.alpha]

    /// The signature, the size of the whole, and the first block's kind after the colours.
    var first: HeaderStep { .take(13) }

    mutating func next(_ bytes: [UInt8]) -> HeaderStep {
        switch place {
        case .start:
            width = bytes.little(6, 2)
            height = bytes.little(8, 2)
            place = .block
            return .take(1, after: bytes[10] & 0x80 == 0 ? 0 : 3 << (Int(bytes[10] & 7) + 1))
        case .block: return block(bytes[0])
        case .label: return label(bytes[0])
        case .control:
            // A length of 4, flags, and how long the frame is shown.
            if bytes[0] == 4, bytes.little(2, 2) > 0 { traits.insert(.animated) }
            return skip(bytes[0], taken: 3)
        case .application:
            if bytes.has("NETSCAPE2.0", at: 1) || bytes.has("ANIMEXTS1.0", at: 1) { traits.insert(.animated) }
            return skip(bytes[0], taken: 11)
        case .subBlock: return skip(bytes[0], taken: 0)
        case .frame: return frame(bytes)
        }
    }

    private mutating func block(_ kind: UInt8) -> HeaderStep {
        switch kind {
        case 0x21:
            place = .label
            return .take(1)
        case 0x2C:
            place = .frame
            return .take(9)
        case 0x3B: return .failed("no frame")
        default: return .failed("a block of no known kind")
        }
    }

    private mutating func label(_ label: UInt8) -> HeaderStep {
        switch label {
        case 0xF9:
            place = .control
            return .take(4)
        case 0xFF:
            place = .application
            return .take(12)
        default:
            place = .subBlock
            return .take(1)
        }
    }

    /// On behind a sub-block of that length, of which some bytes were taken already. One of no bytes ends the block.
    private mutating func skip(_ length: UInt8, taken: Int) -> HeaderStep {
        guard length > 0 else {
            guard taken == 0 else { return .failed("an extension without content") }
            place = .block
            return .take(1)
        }
        guard Int(length) >= taken else { return .failed("an extension that is too short") }
        place = .subBlock
        return .take(1, after: Int(length) - taken)
    }

    /// A frame that reaches out of the whole makes it larger.
    private func frame(_ bytes: [UInt8]) -> HeaderStep {
        let frameWidth = bytes.little(4, 2)
        let frameHeight = bytes.little(6, 2)
        guard frameWidth > 0, frameHeight > 0 else { return .failed("no width or no height") }
        var found = traits
        if bytes[8] & 0x40 != 0 { found.insert(.interlaced) }
        return .done(
            ImageHeader(
                type: .gif, width: max(width, bytes.little(0, 2) + frameWidth),
                height: max(height, bytes.little(2, 2) + frameHeight), traits: found))
    }
}
