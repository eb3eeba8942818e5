internal import Glibc

extension KeyStoreError {
    /// What a failed system call comes to for the path it was about.
    init(errno code: Int32, _ path: String, _ operation: String) {
        let kind: Kind =
            switch code {
            // What is not there is of the store, never a thing in it that somebody named.
            case ENOENT: .unavailable
            case EACCES, EPERM, ELOOP: .permission
            case EEXIST, ENOTEMPTY: .alreadyExists
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            // Nothing is gone or in the way: the process or the machine has no room for what it would hold in memory.
            case EIO, EMFILE, ENFILE, ENOMEM: .inputOutput
            case ENAMETOOLONG, ENOTDIR, EISDIR: .badInput
            default: .unavailable
            }
        self.init(kind, path, "\(operation): \(String(cString: strerror(code)))")
    }
}
