/// What the store says of its anchor; the row's secret is the key of the anchor's MAC.
struct AnchorRow: Record {
    static let name = "anchor"
    static let markByteCount = 32

    static let table = Table.anchor
    let identifier = AnchorRow.name
    /// The absolute path of the file.
    let path: String
    /// Counts the commits that changed keys, from 1; before that the file says that it was begun.
    private(set) var number: Int64
    /// Random, drawn with each number.
    private(set) var mark: [UInt8]
    /// The mark of the number before, which the file has while a commit is not yet written to it.
    private(set) var formerMark: [UInt8]?

    init(path: String) throws(KeyStoreError) {
        self.path = path
        number = AnchorMark.begunNumber
        mark = try RandomName.bytes(Self.markByteCount)
        try step()
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard identifier == Self.name else { throw fields.damaged }
        path = try fields.text()
        number = try fields.integer()
        mark = try fields.blob()
        formerMark = try fields.optionalBlob()
    }

    var values: [FieldValue] { [.text(path), .integer(number), .blob(mark), FieldValue(formerMark)] }

    /// Goes on to the next number.
    mutating func step() throws(KeyStoreError) {
        formerMark = mark
        mark = try RandomName.bytes(Self.markByteCount)
        number += 1
    }

    /// How the store stands to what its anchor says.
    func standing(to anchored: AnchorMark) -> AnchorStanding {
        if anchored.number == number, anchored.value == mark { return .holds }
        if anchored.number == number - 1, anchored.value == formerMark { return .behind }
        return anchored.number > number ? .older(anchored: anchored.number) : .apart
    }
}
