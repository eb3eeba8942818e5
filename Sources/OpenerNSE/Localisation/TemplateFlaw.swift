/// Why a value of a file is no template, or gives no text for the arguments of a message.
struct TemplateFlaw: Error, Equatable {
    let reason: String
}
