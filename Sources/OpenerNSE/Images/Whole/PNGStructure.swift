/// The chunks of a PNG, each with its checksum, from IHDR to IEND (W3C PNG, section 5).
enum PNGStructure {
    static func pass(_ bytes: inout FileBytes) throws(ImageFailure) {
        try bytes.skip(PNGScanner.signature.count)
        var pixelByteCount = 0
        while true {
            let length = try bytes.take(4).big(0, 4)
            let name = try bytes.take(4)
            var sum = CRC32()
            sum.add(name[...])
            try bytes.pass(length) { sum.add($0) }
            guard try bytes.take(4).big(0, 4) == Int(sum.value) else { throw .decoding }
            if name.has("IDAT", at: 0) { pixelByteCount += length }
            guard name.has("IEND", at: 0) else { continue }
            guard length == 0, pixelByteCount > 0 else { throw .decoding }
            return
        }
    }
}
