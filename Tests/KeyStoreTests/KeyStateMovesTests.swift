import EnvelopeFormat
import Testing

@testable import KeyStore

/// Derived from the table: every pair of states is tried on a row.
@Suite struct KeyStateMovesTests {
    @Test(arguments: KeyState.allCases, KeyState.allCases) func aRowMovesAsTheTableSays(from: KeyState, to: KeyState)
        throws
    {
        let chat = try ConversationIdentifier("chat-1")
        let handle = try #require(Handle("AAAAAAAAAAAAAAAA"))
        var row = StoredRow(
            table: .conversationSecret, identifier: handle.string, version: 1,
            values: SecretRow(handle: handle, conversation: chat, algorithm: .dir, created: 1, name: nil).values)
        row.values[2] = .text(from.rawValue)
        var record = try Held<SecretRow>(row).record
        #expect(record.state == from)
        let allowed = try #require(KeyStateMoves.table[from]).contains(to)
        var notes: [AuditNote] = []
        let scene = try Scene(.sealer)
        let error = failure {
            try scene.store.read { (rows) throws(KeyStoreError) in
                defer { notes = rows.notes }
                try record.move(to: to, in: rows)
            }
        }
        let move = AuditNote(
            .keyState, "conversation chat-1", kid: try record.kid(), reason: "\(from.rawValue) -> \(to.rawValue)")
        #expect(notes == (allowed ? [move] : []))
        #expect(record.state == (allowed ? to : from))
        #expect(
            error
                == (allowed
                    ? nil
                    : KeyStoreError(
                        .refused, "conversation chat-1", "a key that is \(from.rawValue) cannot become \(to.rawValue)"))
        )
    }

    @Test func everyStateIsInTheTableAndNothingComesBackFromTheDead() {
        #expect(Set(KeyStateMoves.table.keys) == Set(KeyState.allCases))
        #expect(KeyStateMoves.table[.destroyed] == [])
        for state in [KeyState.deactivated, .compromised] {
            #expect(!KeyStateMoves.allow(from: state, to: .active) && !KeyStateMoves.allow(from: state, to: .suspended))
        }
        for state in KeyState.allCases { #expect(!KeyStateMoves.allow(from: state, to: .preActivation)) }
    }
}
