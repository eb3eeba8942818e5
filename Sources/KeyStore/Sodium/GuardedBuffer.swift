internal import CSodium

/// Writable bytes in libsodium's guarded memory, used again and again by one owner; wiped when it goes.
final class GuardedBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) throws(SodiumError) {
        try SodiumLibrary.prepare()
        guard count > 0, let start = sodium_malloc(count) else { throw .outOfMemory(byteCount: count) }
        sodium_memzero(start, count)
        bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    deinit { sodium_free(bytes.baseAddress) }
}
