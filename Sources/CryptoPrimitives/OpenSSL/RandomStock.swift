import Glibc

/// A stock of random bytes in pages that the kernel hands to a forked child as zeros (`MADV_WIPEONFORK`).
///
/// The number of bytes left stands in the same pages, so that a child finds none left and fetches its own.
/// One thread's only.
final class RandomStock {
    static let byteCount = 4096
    private static let headerByteCount = 64

    /// The header and the stock behind it; nil where the system has no such pages: then every request goes to the system.
    private let memory: UnsafeMutableRawPointer?

    init() {
        let byteCount = Self.headerByteCount + Self.byteCount
        let mapped = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else {
            memory = nil
            return
        }
        guard madvise(mapped, byteCount, MADV_WIPEONFORK) == 0, madvise(mapped, byteCount, MADV_DONTDUMP) == 0 else {
            munmap(mapped, byteCount)
            memory = nil
            return
        }
        memory = mapped
    }

    deinit {
        guard let memory else { return }
        let byteCount = Self.headerByteCount + Self.byteCount
        wipe(UnsafeMutableRawBufferPointer(start: memory, count: byteCount))
        munmap(memory, byteCount)
    }

    /// Fills the whole buffer, or throws and leaves it wiped.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemRandomBytes.Unavailable) {
        guard let memory, buffer.count <= Self.byteCount else { return try SystemRandomBytes.fill(buffer) }
        var left = memory.load(as: Int.self)
        if left < buffer.count {
            memory.storeBytes(of: 0, as: Int.self)
            do throws(SystemRandomBytes.Unavailable) {
                let stock = UnsafeMutableRawBufferPointer(
                    start: memory + Self.headerByteCount, count: Self.byteCount)
                try SystemRandomBytes.fill(stock)
            } catch {
                wipe(buffer)
                throw error
            }
            left = Self.byteCount
        }
        left -= buffer.count
        memory.storeBytes(of: left, as: Int.self)
        let taken = UnsafeMutableRawBufferPointer(
            start: memory + Self.headerByteCount + left, count: buffer.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(taken))
        wipe(taken)
    }
}
