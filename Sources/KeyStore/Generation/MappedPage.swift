internal import Glibc
internal import Synchronization

/// One page that is mapped for as long as the process lives, and that reads as zeros when its file is cut short.
///
/// A file that loses its bytes under a mapping has the kernel send SIGBUS. A handler then puts a page of zeros in its
/// place, which reads as unsettled; faults elsewhere go to whoever handled them before.
enum MappedPage {
    static let byteCount = 4_096
    private static let capacity = 1_024

    /// The pages to watch; slots are taken one after another and never given back.
    private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Atomic<UInt>> = {
        let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: capacity)
        for index in 0..<capacity { (slots + index).initialize(to: Atomic(0)) }
        return slots
    }()
    private static let used = Atomic<Int>(0)
    private nonisolated(unsafe) static var previous = sigaction()
    private static let isInstalled: Bool = install()

    /// A page of the file, or of zeros when there is none.
    static func map(_ file: Descriptor?, _ path: String) throws(KeyStoreError) -> UInt {
        let flags = file == nil ? MAP_PRIVATE | Int32(MAP_ANONYMOUS) : MAP_SHARED
        let mapped = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, file?.number ?? -1, 0)
        guard let mapped, mapped != MAP_FAILED else { throw KeyStoreError(errno: errno, path, "cannot be mapped") }
        let address = UInt(bitPattern: mapped)
        if file != nil, isInstalled {
            let slot = used.add(1, ordering: .sequentiallyConsistent).oldValue
            if slot < capacity { slots[slot].store(address, ordering: .sequentiallyConsistent) }
        }
        return address
    }

    private static func install() -> Bool {
        _ = slots
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, information, context in
            // Positive for a fault; a signal that somebody sent has no address.
            let isFault = information.map { $0.pointee.si_code > 0 } ?? false
            if isFault, let information {
                let fault = UInt(bitPattern: information.pointee._sifields._sigfault.si_addr)
                if MappedPage.replace(fault) { return }
            }
            MappedPage.passOn(number, information, context)
        }
        action.sa_flags = SA_SIGINFO | SA_NODEFER
        return sigaction(SIGBUS, &action, &previous) == 0
    }

    /// Only what may be called in a signal handler: atomic loads and mmap.
    private static func replace(_ fault: UInt) -> Bool {
        let page = fault & ~UInt(byteCount - 1)
        guard page != 0 else { return false }
        for index in 0..<min(used.load(ordering: .relaxed), capacity)
        where slots[index].load(ordering: .relaxed) == page {
            let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS) | MAP_FIXED
            let zeros = mmap(UnsafeMutableRawPointer(bitPattern: page), byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
            return zeros != MAP_FAILED
        }
        return false
    }

    private static func passOn(
        _ number: Int32, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
        if previous.sa_flags & SA_SIGINFO != 0, let handler = previous.__sigaction_handler.sa_sigaction {
            handler(number, information, context)
        } else {
            sigaction(number, &previous, nil)
            // A fault comes again when this returns, and ends the process as it would have; what was sent does not.
            if let information, information.pointee.si_code <= 0 { raise(number) }
        }
    }
}
