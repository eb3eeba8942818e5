internal import CLinux
internal import Glibc

/// The simulator, without which nothing that an extension does is seen.
enum ParentProcess {
    /// Has the kernel kill this process when the thread that started it ends, which is as long at it as this one lives.
    /// - Parameter channel: a socket that the simulator has made.
    /// - Returns: false where it has ended already.
    static func endsThis(channel: Int32) -> Bool {
        var maker = waxwing_credentials()
        return waxwing_end_with_parent() >= 0 && waxwing_peer_credentials(channel, &maker) >= 0 && maker.pid == getppid()
    }
}
