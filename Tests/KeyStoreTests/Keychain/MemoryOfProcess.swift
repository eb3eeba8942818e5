import Foundation
import Glibc
import TestSupport

/// What another process holds in memory, read from the kernel as root.
enum MemoryOfProcess {
    /// How often the bytes stand in memory that is the process's own: whatever it may read that is of no file, and
    /// whatever it may write.
    static func count(of bytes: [UInt8], in process: pid_t) throws -> Int {
        let descriptor = open("/proc/\(process)/mem", O_RDONLY)
        guard descriptor >= 0 else { throw POSIXError(.EACCES) }
        defer { close(descriptor) }
        var found = 0
        for region in try regions(of: process) { found += count(of: bytes, in: region, descriptor) }
        return found
    }

    private static func count(of bytes: [UInt8], in region: Range<UInt>, _ descriptor: Int32) -> Int {
        let chunkByteCount = 1 << 20
        var chunk = [UInt8](repeating: 0, count: chunkByteCount + bytes.count - 1)
        var found = 0
        var position = region.lowerBound
        while position < region.upperBound {
            let wanted = min(chunk.count, Int(region.upperBound - position))
            let got = pread(descriptor, &chunk, wanted, off_t(position))
            // A guard page of libsodium's, or memory that went meanwhile: the next page may be there.
            guard got > 0 else {
                position += 4_096
                continue
            }
            found += matches(of: bytes, in: chunk, got)
            if got == wanted, got > bytes.count { position += UInt(got - bytes.count + 1) } else { position += UInt(got) }
            if got == wanted, position + UInt(bytes.count) > region.upperBound { break }
        }
        return found
    }

    private static func matches(of bytes: [UInt8], in chunk: [UInt8], _ count: Int) -> Int {
        chunk.withUnsafeBytes { chunk in
            guard let start = chunk.baseAddress else { return 0 }
            var (found, offset) = (0, 0)
            while offset + bytes.count <= count,
                let match = memchr(start + offset, Int32(bytes[0]), count - bytes.count + 1 - offset)
            {
                if memcmp(match, bytes, bytes.count) == 0 { found += 1 }
                offset = UnsafeRawPointer(match) - start + 1
            }
            return found
        }
    }

    private static func regions(of process: pid_t) throws -> [Range<UInt>] {
        let maps = try KernelFile.text("/proc/\(process)/maps")
        return maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 5, fields[1].hasPrefix("r"), !line.hasSuffix("[vvar]"), !line.hasSuffix("[vsyscall]"),
                fields[4] == "0" || fields[1].hasPrefix("rw")
            else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
        }
    }
}
