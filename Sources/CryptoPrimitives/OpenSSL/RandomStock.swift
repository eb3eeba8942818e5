import Glibc

/// A stock of random bytes in pages that the kernel hands to a forked child as zeros (`MADV_WIPEONFORK`).
///
/// The number of bytes left stands in the same pages, so that a child finds none left and fetches its own.
/// One thread's only.
struct RandomStock {
    static let byteCount = 4096
    private static let headerByteCount = 64
    private static let mappedByteCount = headerByteCount + byteCount

    /// The key under which a thread keeps its pages; nil where the system has no room for one.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let answer = pthread_key_create(&key) { kept in
            if let kept { RandomStock(memory: kept).discard() }
        }
        return answer == 0 ? key : nil
    }()

    /// The header and the stock behind it.
    private let memory: UnsafeMutableRawPointer

    /// The calling thread's stock; nil where the system has no such pages.
    static var ofThisThread: RandomStock? {
        guard let key else { return nil }
        if let kept = pthread_getspecific(key) { return RandomStock(memory: kept) }
        guard let made = make() else { return nil }
        guard pthread_setspecific(key, made.memory) == 0 else {
            made.discard()
            return nil
        }
        return made
    }

    private static func make() -> RandomStock? {
        let mapped = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        let stock = RandomStock(memory: mapped)
        guard madvise(mapped, mappedByteCount, MADV_WIPEONFORK) == 0,
            madvise(mapped, mappedByteCount, MADV_DONTDUMP) == 0
        else {
            stock.discard()
            return nil
        }
        return stock
    }

    /// Wipes the pages and gives them back.
    private func discard() {
        wipe(UnsafeMutableRawBufferPointer(start: memory, count: Self.mappedByteCount))
        munmap(memory, Self.mappedByteCount)
    }

    /// Fills the whole buffer, at most ``byteCount`` bytes, or throws and leaves it wiped.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemRandomBytes.Unavailable) {
        var left = memory.load(as: Int.self)
        if left < buffer.count {
            memory.storeBytes(of: 0, as: Int.self)
            do throws(SystemRandomBytes.Unavailable) {
                // So that a source which writes nothing leaves nothing but zeros.
                wipe(bytes(from: 0, count: left))
                try SystemRandomBytes.fill(bytes(from: 0, count: Self.byteCount))
            } catch {
                wipe(buffer)
                throw error
            }
            left = Self.byteCount
        }
        left -= buffer.count
        memory.storeBytes(of: left, as: Int.self)
        let taken = bytes(from: left, count: buffer.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(taken))
        wipe(taken)
    }

    /// That part of the stock; how a test sees that what was handed out is wiped.
    func bytes(from start: Int, count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: memory + Self.headerByteCount + start, count: count)
    }

    /// The number of bytes left.
    var left: Int { memory.load(as: Int.self) }
}
