import BackendJSON
import KeyStore

/// `device list`: the enrolled devices.
enum DeviceListCommand {
    static let row = Command(
        "device list", "list the enrolled devices",
        details: [
            "In parts that are cut by thumbprint, each sorted by name: where there is more, standard error says after which "
                + "thumbprint to go on, unless --quiet, and `next` of --json always does."
        ],
        options: Page.options(after: "THUMBPRINT"), example: "device list --store sealer", role: .sealer
    ) { invocation in
        invocation.report(try DeviceView.list(of: try invocation.openSealerStore(), try invocation.page()))
    }
}
