/// What is fetched, and within which bounds.
public struct ImageRequest: Sendable {
    public let address: ImageAddress
    public let policy: AddressPolicy
    /// A response that says it is longer need not be read.
    public let byteLimit: Int
    public let budget: Duration

    public init(address: ImageAddress, policy: AddressPolicy, byteLimit: Int, budget: Duration) {
        self.address = address
        self.policy = policy
        self.byteLimit = byteLimit
        self.budget = budget
    }
}
