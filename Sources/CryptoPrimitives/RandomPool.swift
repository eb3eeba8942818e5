/// Random bytes for nonces and identifiers out of a stock per thread, many times as fast as to ask the system each time.
///
/// The stock is system randomness, 4 KiB at a time. What is handed out is wiped from it, a forked child finds it empty,
/// it stays out of core dumps, and it is wiped when its thread ends. Not for keys: those come from ``SystemRandomBytes``.
package enum RandomPool {
    /// Fills the whole buffer, or throws ``SystemRandomBytes/Unavailable`` and leaves it wiped.
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemRandomBytes.Unavailable) {
        #if !canImport(Darwin)
            if buffer.count <= RandomStock.byteCount, let stock = RandomStock.ofThisThread {
                return try stock.fill(buffer)
            }
        #endif
        try SystemRandomBytes.fill(buffer)
    }
}
