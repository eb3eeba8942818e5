internal import CLinux
internal import Glibc

/// One page that is mapped until its owner goes, and that reads as zeros when its file is cut short.
///
/// A file that loses its bytes under a mapping has the kernel send SIGBUS. A handler (in C, see CLinux) then puts a page of
/// zeros in its place, which reads as unsettled; every other SIGBUS goes to whoever handled them before, and ends the process
/// when nobody did.
enum MappedPage {
    static let byteCount = 4_096

    private static let isHandled: Bool = waxwing_handle_lost_pages() == 0

    /// A page of the file, or of zeros when there is none.
    static func map(_ file: Descriptor?, _ path: String) throws(KeyStoreError) -> UInt {
        let flags = file == nil ? MAP_PRIVATE | Int32(MAP_ANONYMOUS) : MAP_SHARED
        let mapped = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, file?.number ?? -1, 0)
        guard let mapped, mapped != MAP_FAILED else { throw KeyStoreError(errno: errno, path, "cannot be mapped") }
        if file != nil, isHandled { _ = waxwing_watch_page(mapped) }
        return UInt(bitPattern: mapped)
    }

    /// Nobody reads it any more.
    static func unmap(_ address: UInt) {
        guard let page = UnsafeMutableRawPointer(bitPattern: address) else { return }
        // First, so that no page is watched that is somebody else's.
        waxwing_unwatch_page(page)
        munmap(page, byteCount)
    }

    /// Whether a page of zeros took its place: the file was cut, or there was no room for it on the disk.
    static func isLost(_ address: UInt) -> Bool { waxwing_page_is_lost(address) != 0 }
}
