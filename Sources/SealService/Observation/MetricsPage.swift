/// Prometheus' text format, version 0.0.4.
struct MetricsPage {
    private(set) var text = ""

    mutating func counter(_ name: String, _ help: String, _ values: [(labels: [(name: String, value: String)], count: Int)]) {
        head(name, help, "counter")
        for (labels, count) in values {
            text += "\(name){\(labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ","))} \(count)\n"
        }
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        head(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        head(name, help, "histogram")
        var sum = 0
        for (bound, count) in zip(Histogram.bounds, histogram.counts) {
            sum += count
            text += "\(name)_bucket{le=\"\(bound)\"} \(sum)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n\(name)_sum \(histogram.sum)\n\(name)_count \(histogram.count)\n"
    }

    private mutating func head(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
}
