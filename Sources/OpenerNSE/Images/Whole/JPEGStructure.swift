/// The segments and scans of a JPEG, from SOI to EOI (ITU-T T.81, annex B).
enum JPEGStructure {
    static func pass(_ bytes: inout FileBytes) throws(ImageFailure) {
        try bytes.skip(2)
        guard try bytes.take(1) == [0xFF] else { throw .decoding }
        var hasScan = false
        while true {
            // Behind an FF, of which any number may stand before a marker.
            var marker: UInt8 = 0xFF
            while marker == 0xFF { marker = try bytes.take(1)[0] }
            switch marker {
            case 0xD9:
                guard hasScan else { throw .decoding }
                return
            case 0x00...0x01, 0xD0...0xD8: throw .decoding
            case 0xDA:
                try segment(&bytes)
                let start = bytes.at
                try scan(&bytes)
                // The marker behind it is of two bytes, of which one is not read yet.
                guard bytes.at > start + 1 else { throw .decoding }
                hasScan = true
                continue
            default: try segment(&bytes)
            }
            guard try bytes.take(1) == [0xFF] else { throw .decoding }
        }
    }

    private static func segment(_ bytes: inout FileBytes) throws(ImageFailure) {
        let length = try bytes.take(2).big(0, 2)
        guard length >= 2 else { throw .decoding }
        try bytes.skip(length - 2)
    }

    /// Coded bytes, up to the FF of the marker that ends them: neither one that stands for itself, nor a restart.
    private static func scan(_ bytes: inout FileBytes) throws(ImageFailure) {
        while true {
            try bytes.pass(through: 0xFF)
            guard let next = try bytes.next() else { throw .decoding }
            switch next {
            case 0x00, 0xD0...0xD7: try bytes.skip(1)
            default: return
            }
        }
    }
}
