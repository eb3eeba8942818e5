extension Store {
    /// Whether the store knows its key file, so that unlocking it needs no secret.
    public var knowsKeyFile: Bool { keyFile != nil }
}
