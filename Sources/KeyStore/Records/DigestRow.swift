/// One shard of the digest over all rows, or the root over all shards (docs/decisions/0011-digest-and-anchor.md).
struct DigestRow: Record {
    static let rootName = "root"

    static let table = Table.digest
    let identifier: String
    /// How many rows the shard has.
    var count: Int64
    /// The sum of their digests, in the root followed by the digest's key; wrapped under the integrity key.
    var sum: [UInt8]

    init(identifier: String, count: Int64, sum: [UInt8]) {
        self.identifier = identifier
        self.count = count
        self.sum = sum
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        self.identifier = identifier
        count = try fields.integer()
        sum = try fields.blob()
        guard count >= 0, DigestShard(named: identifier) != nil else { throw fields.damaged }
    }

    var values: [FieldValue] { [.integer(count), .blob(sum)] }
}
