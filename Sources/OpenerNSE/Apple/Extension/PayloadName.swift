/// The members of a payload that are looked at, beside `aps`.
enum PayloadName {
    static let sealed = "encrypted_payload"
    static let image = "image_url"
}
