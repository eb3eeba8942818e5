public import OpenerNSE

/// How an app is set up whose extension is simulated.
public struct SimulatedApp: Sendable {
    /// The program that the extension's process runs.
    public var program: String
    /// The shared container, a directory that is made where it is not there.
    public var container: String
    /// The keychain access group of the extension; nil for that of the phone's store, as it should be.
    public var accessGroup: String?
    public var isSealedOnly = false
    public var canSuppress = false
    /// BCP 47 tags, the best first.
    public var languages: [String] = []
    /// What the base templates, `notifications.json`, are written in.
    public var baseLanguage: String?
    /// From where images may be fetched.
    public var images = AddressPolicy()
    /// A file of certificate authorities in place of the system's.
    public var authorities: String?
    /// How many seconds of the extension's clock one second is.
    public var timeScale = 1
    /// Bytes that the process takes first, for who wants to see its limit bite.
    package var plantedByteCount = 0

    public init(program: String, container: String) {
        self.program = program
        self.container = container
    }
}
