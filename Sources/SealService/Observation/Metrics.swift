import BackendJSON
import KeyStore
import Sealer
import Synchronization

/// What the service counts, as Prometheus asks for it.
final class Metrics: Sendable {
    private struct Counts {
        var seals: [String: Int] = [:]
        var sealing = Histogram()
        var requests: [RequestName: Int] = [:]
        var answering = Histogram()
    }

    private struct RequestName: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private let counts = Mutex(Counts())
    private let started: Int64

    init(started: Int64) { self.started = started }

    func sealed(_ count: Int, seconds: Double) {
        counts.withLock { counts in
            counts.seals["sealed", default: 0] += count
            counts.sealing.add(seconds)
        }
    }

    /// Counts what was not sealed, by the name of its problem.
    func notSealed(_ error: any Error) -> Problem {
        let problem = Problem(reporting: error)
        counts.withLock { $0.seals[problem.kind.rawValue, default: 0] += 1 }
        return problem
    }

    func answered(route: String, method: String, status: Int, seconds: Double) {
        counts.withLock { counts in
            counts.requests[RequestName(route: route, method: method, status: status), default: 0] += 1
            counts.answering.add(seconds)
        }
    }

    /// - Parameter store: nil where it does not say.
    func text(store: StoreStatus?, sealer: SealerUsage, now: Int64) -> String {
        let counts = counts.withLock { $0 }
        var page = MetricsPage()
        page.counter(
            "waxwing_seals_total", "Payloads sealed, and requests that were not, by outcome.",
            counts.seals.sorted { $0.key < $1.key }.map { ([("outcome", $0.key)], $0.value) })
        page.histogram("waxwing_seal_duration_seconds", "Time to seal one request.", counts.sealing)
        page.counter(
            "waxwing_requests_total", "Answers, by route, method and status.",
            counts.requests.sorted { ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status) }.map {
                ([("route", $0.key.route), ("method", $0.key.method), ("status", "\($0.key.status)")], $0.value)
            })
        page.histogram("waxwing_request_duration_seconds", "Time from the head of a request to the end of its answer.", counts.answering)
        page.gauge("waxwing_key_cache_keys", "Keys kept between seals.", sealer.keyCount)
        page.gauge("waxwing_leased_seals_left", "Seals left of all leases.", sealer.leasedCount)
        if let headRoom = sealer.leastHeadRoom {
            page.gauge(
                "waxwing_counter_head_room", "Seals left before the next epoch comes by itself, of the key closest to it.", Int(headRoom))
        }
        if let store {
            page.gauge("waxwing_store_unlocked", "1 when the store is unlocked.", store.lockState == .unlocked ? 1 : 0)
            page.gauge("waxwing_unacknowledged_bundles", "Bundles no device has acknowledged.", store.counts.pendingBundles)
            if let oldest = store.oldestPendingBundle {
                page.gauge("waxwing_oldest_bundle_age_seconds", "Age of the oldest of them.", Int(now - oldest))
            }
            page.gauge("waxwing_conversations", "Conversations in the store.", store.counts.conversations)
            page.gauge("waxwing_devices", "Devices in the store.", store.counts.devices)
        }
        page.gauge("waxwing_start_time_seconds", "When the service was started, in seconds since 1970.", Int(started))
        return page.text
    }
}
