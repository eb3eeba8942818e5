import EnvelopeFormat
import KeyStore
import OpenerNSE
import Simulator

/// Why a person sees less than was sent, said to whoever runs the simulation: a phone has nobody to tell.
enum SimulationReasons {
    /// One line each; none when all is shown.
    static func lines(_ result: ExtensionSimulation.Result, lockState: LockState) -> [String] {
        let events = result.events.compactMap { line in
            switch line.event {
            case .decryption(.failed(let outcome)): reason(outcome, lockState)
            case .image(.failed(let failure)): "no image: \(failure.rawValue): \(reason(failure))"
            case .expired: "time-expired: 25 seconds were over; what there was by then is shown"
            default: nil
            }
        }
        let texts = result.unrendered.map(line)
        return result.shown == nil ? events + ["the handler was not called: the system shows what came"] : events + texts
    }

    /// For a text that the app's templates do not give.
    static func line(_ text: UnrenderedText) -> String { "no text for \(PrintableText.escape(text.key)): \(text.reason)" }

    /// Nil for what is as it should be, or was said with the keychain's own words.
    private static func reason(_ outcome: Outcome, _ lockState: LockState) -> String? {
        switch outcome {
        case .notSealed, .duplicate, .opened, .timeExpired: nil
        case .keyLocked:
            "key-locked: the key is there, and cannot be read on a phone that is \(words(lockState)) "
                + "(\(KeychainStatus.interactionNotAllowed))"
        case .unknownKey:
            "unknown-key: the phone has no such key (\(KeychainStatus.itemNotFound)); its app is told to fetch a bundle"
        case .storeUnavailable: "store-unavailable: the keychain does not answer"
        default: "\(outcome.rawValue): it does not open, and never will on this phone"
        }
    }

    private static func words(_ state: LockState) -> String {
        switch state {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .beforeFirstUnlock: "not unlocked yet since it started"
        }
    }

    private static func reason(_ failure: ImageFailure) -> String {
        switch failure {
        case .address: "it is no address, or one that can be read in several ways"
        case .scheme: "https is needed, also after a redirect"
        case .user: "an address with a user's name is not fetched"
        case .port: "images come from port 443 alone, and from those that --allow-port N names"
        case .host: "images come from the hosts that --allow-host NAME names, and from no others"
        case .network: "images from this machine and private networks are for tests: --allow-own-networks"
        case .redirects: "the server leads from one address to the next without end"
        case .dns: "the host's name leads nowhere"
        case .connection: "the connection failed or ended too early"
        case .tls: "nobody vouches for the host's certificate"
        case .timeout: "it was not there in time"
        case .status: "the server answered with something else than 200"
        case .type: "by its content it is no image of a type that is shown, whatever it is called"
        case .size: "it has more bytes than are fetched"
        case .hash: "it is not the file that the sender meant"
        case .seal: "the sealed attachment does not open"
        case .decoding: "it is damaged"
        case .noDecoder: "it is too large to go as it is, and nothing that is built in makes one of its type smaller"
        case .overBudget: "it is too large to go as it is, and to make it smaller takes more than an extension has"
        case .storage: "the shared container cannot be written"
        }
    }
}
