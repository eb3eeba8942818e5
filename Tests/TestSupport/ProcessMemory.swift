import Foundation
import Glibc

/// What this process holds in memory, read from the kernel: how a test sees that a secret is nowhere any more.
public enum ProcessMemory {
    /// How often the bytes, which are given masked so that they do not find themselves, stand in writable memory.
    public static func count(ofMasked masked: some Collection<UInt8>) throws -> Int {
        let chunkByteCount = 1 << 20
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkByteCount + masked.count, alignment: 4096)
        let needle = UnsafeMutableRawBufferPointer.allocate(byteCount: masked.count, alignment: 16)
        needle.copyBytes(from: masked.map { $0 ^ mask })
        defer {
            for buffer in [chunk, needle] {
                if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
                buffer.deallocate()
            }
        }
        let descriptor = open("/proc/self/mem", O_RDONLY)
        guard descriptor >= 0 else { throw POSIXError(.EACCES) }
        defer { close(descriptor) }
        let ours = [chunk, needle].map { buffer in
            let start = UInt(bitPattern: buffer.baseAddress)
            return start..<start + UInt(buffer.count)
        }
        var found = 0
        for region in try writableRegions() {
            var position = region.lowerBound
            while position < region.upperBound {
                let wanted = min(chunk.count, Int(region.upperBound - position))
                let got = pread(descriptor, chunk.baseAddress, wanted, off_t(position))
                guard got > 0 else { break }
                found += matches(of: needle, in: chunk, byteCount: got) { offset in
                    ours.contains { $0.contains(position + UInt(offset)) } || offset >= chunkByteCount
                }
                position += UInt(min(got, chunkByteCount))
            }
        }
        return found
    }

    /// By which what is sought is masked.
    public static let mask: UInt8 = 0x5C

    private static func matches(
        of needle: UnsafeMutableRawBufferPointer, in chunk: UnsafeMutableRawBufferPointer, byteCount: Int,
        except isExcepted: (Int) -> Bool
    ) -> Int {
        guard let start = chunk.baseAddress, let sought = needle.baseAddress else { return 0 }
        var (count, offset) = (0, 0)
        while offset + needle.count <= byteCount,
            let first = memchr(start + offset, Int32(needle[0]), byteCount - needle.count + 1 - offset)
        {
            if memcmp(first, sought, needle.count) == 0, !isExcepted(first - start) { count += 1 }
            offset = first - start + 1
        }
        return count
    }

    /// The addresses of memory that the process may write.
    private static func writableRegions() throws -> [Range<UInt>] {
        let maps = try KernelFile.text("/proc/self/maps")
        return maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 1, fields[1].hasPrefix("rw"), !line.hasSuffix("[vvar]") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
        }
    }
}
