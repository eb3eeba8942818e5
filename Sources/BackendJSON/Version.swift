/// The version of these programs.
package enum Version {
    package static let current = "Waxwing 0.1.0"
}
