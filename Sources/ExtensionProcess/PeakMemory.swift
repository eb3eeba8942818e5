import Glibc

/// What this process has taken of memory at most.
enum PeakMemory {
    /// Resident KiB, by the kernel's account; 0 where it does not tell.
    static var kibibytes: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = line.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if text.hasPrefix("VmHWM:") { return Int(text.filter { ("0"..."9").contains($0) }) ?? 0 }
        }
        return 0
    }
}
