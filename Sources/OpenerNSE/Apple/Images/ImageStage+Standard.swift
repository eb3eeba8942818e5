internal import Foundation
public import OpenerNSE

extension ImageStage {
    private static let folder = "images"

    /// Images as an extension has them unless its settings say otherwise: fetched by URLSession, opened, made smaller by ImageIO.
    ///
    /// - Parameters:
    ///   - directory: the shared one, in which they have a folder of their own. Unlike what else is in there they are plaintext, and so
    ///     are protected until the first unlock.
    ///   - policy: from where; ``AddressPolicy/allowedHosts`` are the app's own servers, if it has no others.
    /// - Returns: nil where the folder cannot be made.
    public static func standard(in directory: ContainerDirectory, from policy: AddressPolicy = AddressPolicy()) -> ImageStage? {
        let path = directory.path + "/" + folder
        let stage = try? ImageStage(
            directory: path, fetcher: SessionFetcher(), scaler: ImageIOScaler(), policy: policy)
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
        return stage
    }
}
