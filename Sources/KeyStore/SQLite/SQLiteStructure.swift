/// The structure of a database, which no seal covers: an index that leaves rows out, or a table in another order, has a row
/// not found that is there.
enum SQLiteStructure {
    /// Compares tables, indexes, triggers and views with what the migrations make, and has SQLite look whether the bytes are
    /// as those say. (Its quick check would not do: it does not compare indexes.)
    /// - Throws: `.damaged`.
    static func check(_ connection: Connection) throws(KeyStoreError) {
        let made = try Connection(path: ":memory:")
        try Migrator().migrate(made, now: 0)
        let (found, known) = (try objects(of: connection), try objects(of: made))
        // A table first, and not the indexes that went with it.
        let names = Set(found.keys).union(known.keys).sorted()
        for name in names.filter({ $0.hasPrefix("table ") }) + names where found[name] != known[name] {
            let reason =
                found[name] == nil
                ? "it is not there" : known[name] == nil ? "no migration made it" : "it is not as the migrations made it"
            throw KeyStoreError(.damaged, "\(name) of the database", reason, hint: hint)
        }
        let verdict = try connection.rows("PRAGMA integrity_check(1)", [])
        guard verdict == [[.text("ok")]] else {
            throw KeyStoreError(
                .damaged, connection.path, "its tables and indexes do not agree: rows that are there may not be found",
                hint: hint)
        }
    }

    static let hint = "go on with a backup"

    /// The rows of the schema, by kind and name, none left out: a name that begins as SQLite's own do is no excuse, and no
    /// table of ours has an object that SQLite makes by itself.
    private static func objects(of connection: Connection) throws(KeyStoreError) -> [String: [[FieldValue]]] {
        var objects: [String: [[FieldValue]]] = [:]
        for row in try connection.rows(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name, tbl_name, sql", [])
        {
            guard case .text(let type) = row[0], case .text(let name) = row[1] else {
                objects["row", default: []].append(row)
                continue
            }
            objects["\(type) \(name)", default: []].append(row)
        }
        return objects
    }
}
