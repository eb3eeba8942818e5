/// Why a value of a file is no template.
struct TemplateFlaw: Error, Equatable {
    let reason: String
}
