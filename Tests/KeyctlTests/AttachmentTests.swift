import Foundation
import TestSupport
import Testing

/// `attachment seal` and `attachment open` beyond the transcript.
@Suite struct AttachmentTests {
    /// Runs a command, and ends with 99 where it took more memory than so many bytes.
    private static let bounded = """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[2:]).returncode
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        sys.exit(99 if peak > int(sys.argv[1]) else status)
        """

    /// The slow tests are run by sanitizers too, which take memory of their own.
    private static let (megabytes, limit) = (TestAmount.rounds(300, slow: 1_000), TestAmount.rounds(64, slow: 600) << 20)

    @Test func aLargeFileIsNotHeldInMemory() throws {
        let place = try Workplace()
        try place.write(Self.bounded, to: "bounded.py")
        let bounded = "python3 bounded.py \(Self.limit)"
        let line = """
            truncate -s \(Self.megabytes)M large \
            && \(bounded) keyctl attachment seal large --output sealed --quiet > image.json \
            && \(bounded) keyctl attachment open sealed --image image.json --output opened --quiet && cmp large opened
            """
        let finished = try place.run(line)
        #expect(finished.status == 0, "\(finished.errorText)")
    }

    /// What holds a file in memory does not get by.
    @Test func theBoundOnMemoryIsOne() throws {
        let place = try Workplace()
        try place.write(Self.bounded, to: "bounded.py")
        let line = "python3 bounded.py \(Self.limit) python3 -c 'len(b\"x\" * (\(Self.megabytes) << 20))'"
        #expect(try place.run(line).status == 99)
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
                grep -q '^SigBlk:.*[1-9a-f]' /proc/$sealer/status 2> /dev/null && break
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
