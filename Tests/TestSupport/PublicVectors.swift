public import Foundation

/// The folder of public known-answer files.
///
/// It is the one that the environment variable `WAXWING_VECTORS` names, else `../shared/vectors` beside the package. Where there
/// is none, a test that needs it is skipped with ``absence`` as the reason.
public enum PublicVectors {
    /// The folder, or nil where there is none.
    public static let folder = ProjectFolder.folder("WAXWING_VECTORS", else: "../shared/vectors")

    /// Why a test was skipped.
    public static let absence = "no folder of public vectors: name one by WAXWING_VECTORS"

    /// A file of the folder, such as `wycheproof/aes_gcm_test.json`.
    public static func file(_ path: String) throws -> URL {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appendingPathComponent(path)
    }
}
