/// How large payloads may be, in bytes.
public enum PayloadLimit {
    /// APNs: the whole payload as sent; FCM: keys plus values of the data.
    public static let standard = 4_096
    /// APNs with push type `voip`.
    public static let voip = 5_120
    /// A sealed payload handed over without the payload around it, in bytes of its text.
    public static let sealedText = 8_192
}
