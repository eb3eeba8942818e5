import CryptoPrimitives
import EnvelopeFormat
import Testing

/// The key of a split conversation as it is carried by hand (envelope spec, section 10).
@Suite struct SplitKeyDocumentTests {
    private static let key = Base64URL.encode([UInt8](repeating: 0xAB, count: 32))

    private func fault(_ text: String) -> String? {
        do {
            _ = try SplitKeyDocument(parsing: Array(text.utf8))
            return nil
        } catch {
            return error.field
        }
    }

    @Test func thereAndBack() throws {
        let document = try SplitKeyDocument(
            conversation: try ConversationIdentifier("chat\"1"),
            key: SymmetricKey(data: [UInt8](repeating: 0xAB, count: 32)), until: 1_798_761_600)
        let text = String(decoding: document.json(), as: UTF8.self)
        #expect(text == #"{"sub":"chat\"1","k":"\#(Self.key)","until":1798761600}"#)
        let read = try SplitKeyDocument(parsing: Array(text.utf8))
        #expect(read.conversation == document.conversation)
        #expect(read.key == document.key)
        #expect(read.until == document.until)
    }

    @Test func flaws() {
        func document(sub: String = "\"c\"", k: String = "\"\(Self.key)\"", until: String = "0", more: String = "") -> String {
            "{\"sub\":\(sub),\"k\":\(k),\"until\":\(until)\(more)}"
        }
        #expect(fault(document()) == nil)
        #expect(fault("[]") == "split key")
        #expect(fault(document() + "x") == "JSON")
        #expect(fault(document(more: ",\"x\":1")) == "split key")
        #expect(fault(document(more: ",\"k\":\"\(Self.key)\"")) == "JSON")
        for key in ["null", "1", "\"\"", "\"AAAA\"", "\"\(Self.key)=\"", "\"\(Self.key)A\""] {
            #expect(fault(document(k: key)) == "k", "\(key)")
        }
        for sub in ["null", "1"] { #expect(fault(document(sub: sub)) == "sub", "\(sub)") }
        for sub in ["\"\"", "\"a b\""] { #expect(fault(document(sub: sub)) == "conversation", "\(sub)") }
        for until in ["null", "\"1\"", "-1", "1.5", "1e3"] { #expect(fault(document(until: until)) == "until", "\(until)") }
        #expect(fault("{\"k\":\"\(Self.key)\",\"until\":0}") == "sub")
        #expect(fault("{\"sub\":\"c\",\"until\":0}") == "k")
        #expect(fault("{\"sub\":\"c\",\"k\":\"\(Self.key)\"}") == "until")
    }

    @Test(arguments: [0, 16, 31, 33, 64]) func keysOfAnotherLength(_ count: Int) throws {
        let conversation = try ConversationIdentifier("c")
        #expect(throws: FormatError(field: "k", reason: "not of 32 bytes")) {
            try SplitKeyDocument(conversation: conversation, key: SymmetricKey(data: [UInt8](repeating: 1, count: count)), until: 0)
        }
        #expect(throws: FormatError(field: "until", reason: "negative")) {
            try SplitKeyDocument(conversation: conversation, key: SymmetricKey(size: .bits256), until: -1)
        }
    }
}
