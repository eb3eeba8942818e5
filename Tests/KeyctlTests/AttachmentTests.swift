import Foundation
import TestSupport
import Testing

/// `attachment seal` and `attachment open` beyond the transcript.
@Suite struct AttachmentTests {
    /// Far more bytes than the address space that the program is given.
    @Test func aLargeFileIsNotHeldInMemory() throws {
        let place = try Workplace()
        let megabytes = TestAmount.rounds(300, slow: 2_000)
        let line = """
            truncate -s \(megabytes)M large && ulimit -v \(200 << 10) \
            && keyctl attachment seal large --output sealed --quiet > image.json \
            && keyctl attachment open sealed --image image.json --output opened --quiet && cmp large opened
            """
        let finished = try place.run(line)
        #expect(finished.status == 0, "\(finished.errorText)")
    }

    /// The limit of that test is one: what holds the file does not get by with it.
    @Test func theLimitOnMemoryIsOne() throws {
        let place = try Workplace()
        let finished = try place.run("truncate -s 300M large && ulimit -v \(200 << 10) && sort -S 400M large > /dev/null")
        #expect(finished.status != 0)
    }

    @Test func aPipeIsSealed() throws {
        let place = try Workplace()
        let finished = try place.run(
            "head -c 300000 /dev/urandom > file && cat file | keyctl attachment seal /dev/stdin --output sealed > image.json "
                + "&& keyctl attachment open sealed --image image.json --output opened && cmp file opened")
        #expect(finished.status == 0, "\(finished.errorText)")
    }

    /// A claim without a hash can be opened from a pipe: it is read once.
    @Test func aPipeIsOpenedWithoutAHash() throws {
        let place = try Workplace()
        let finished = try place.run(
            "head -c 300000 /dev/urandom > file && keyctl attachment seal file --output sealed > image.json "
                + #"&& sed 's/"sha256":"[^"]*",//' image.json > key.json "#
                + "&& cat sealed | keyctl attachment open /dev/stdin --image key.json --output opened && cmp file opened")
        #expect(finished.status == 0, "\(finished.errorText)")
    }

    /// An interrupt while the next bytes are waited for ends it, and nothing is left.
    @Test func anInterruptLeavesNothing() throws {
        let place = try Workplace()
        let finished = try place.run(
            """
            mkfifo pipe; (head -c 100000 /dev/zero; exec sleep 30) > pipe & writer=$!
            keyctl attachment seal pipe --output sealed > image.json & sealer=$!
            for i in $(seq 100); do
                grep -q '^pos:.*[1-9]' /proc/$sealer/fdinfo/* 2> /dev/null && break
                sleep 0.1
            done
            kill -TERM $sealer; wait $sealer; status=$?; kill $writer; rm pipe; ls -A; exit $status
            """)
        #expect(finished.status == 75, "\(finished.errorText)")
        #expect(finished.errorText.contains("keyctl: error: interrupted after "))
        #expect(finished.outputLines == ["image.json"])
        #expect(try place.read("image.json").isEmpty)
    }

    /// No byte of the plaintext or the key is said where something is wrong.
    @Test func whatIsRefusedIsNotRepeated() throws {
        let place = try Workplace()
        let key = String(repeating: "Q", count: 42) + "Z"
        try place.write(#"{"key":"\#(key)"}"#, to: "image.json")
        try place.write("kR7vQ2mZ", to: "file")
        for line in [
            "keyctl attachment open file --image image.json --output other",
            "keyctl attachment open image.json --image file --output other",
        ] {
            let finished = try place.run(line)
            #expect(finished.status == 65 && finished.outputText.isEmpty)
            for secret in ["QQQQ", "kR7v"] { #expect(!finished.errorText.contains(secret)) }
        }
    }
}
