public import Foundation

/// A generic password of the emulated keychain.
public struct EmulatedItem: Sendable, Equatable {
    public var group: String
    public var service: String
    public var account: String
    /// One of the values of `kSecAttrAccessible`.
    public var accessible: String
    public var isSynchronizable: Bool
    public var isDataProtected: Bool
    public var data: Data

    /// Whether it is of the class that is there only while a passcode is.
    public var needsPasscode: Bool { accessible == "akpu" }

    public init(
        group: String, service: String, account: String, accessible: String, isSynchronizable: Bool, isDataProtected: Bool, data: Data
    ) {
        self.group = group
        self.service = service
        self.account = account
        self.accessible = accessible
        self.isSynchronizable = isSynchronizable
        self.isDataProtected = isDataProtected
        self.data = data
    }
}
