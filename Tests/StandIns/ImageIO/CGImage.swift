/// A decoded image: here, what was asked of its decoding.
public final class CGImage {
    let options: [String: Any]

    init(options: [String: Any]) { self.options = options }
}
