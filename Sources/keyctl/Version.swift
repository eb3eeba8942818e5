/// The version of this program.
enum Version {
    static let current = "Waxwing 0.1.0"
}
