import BackendJSON

/// The version of the service.
public enum ServiceVersion {
    public static let text = Version.current
}
