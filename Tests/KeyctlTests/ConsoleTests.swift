import Foundation
import KeyStore
import Testing

@testable import keyctl

@Suite struct ConsoleTests {
    @Test(
        arguments: [
            (nil, "keyctl"), ("", "keyctl"), ("keyctl", "keyctl"), ("/opt/waxwing/bin/waxctl", "waxctl"),
            ("waxctl", "waxctl"),
            ("./other", "keyctl"),
        ] as [(String?, String)])
    func theNameIsTheOneItWasCalledBy(_ path: String?, _ name: String) {
        #expect(Console.programName(from: path) == name)
    }

    @Test func aFullDeviceIsAnError() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(throws: CommandError(.inputOutput, "full", "No space left on device")) {
            try Output(descriptor: descriptor, name: "full").write([1])
        }
    }

    @Test func aSlowReaderGetsEverything() throws {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK)
        let reader = Thread { _ = try? pipe.fileHandleForReading.readToEnd() }
        reader.start()
        try Output(descriptor: writer, name: "pipe").write([UInt8](repeating: 7, count: 1 << 20))
        try pipe.fileHandleForWriting.close()
    }

    @Test func aSecretFileIsPrivateAndNew() throws {
        let place = try Workplace()
        let path = place.folder.appendingPathComponent("secret").path
        let previous = umask(0)
        defer { umask(previous) }
        let file = try NewFile(creating: path)
        #expect(try place.run("ls").outputText.isEmpty)
        try file.commit([1, 2, 3])
        #expect(try place.run("stat -c %a secret").outputText == "600\n")
        #expect(try place.read("secret") == Data([1, 2, 3]))
        #expect(throws: KeyStoreError.self) { try NewFile(creating: path) }
    }

    @Test func aSecretFileNeverTakesAPlace() throws {
        let place = try Workplace()
        let path = place.folder.appendingPathComponent("secret").path
        do {
            let file = try NewFile(creating: path)
            try place.write("mine", to: "secret")
            #expect(throws: KeyStoreError.self) { try file.commit([1]) }
        }
        #expect(try place.read("secret") == Data("mine".utf8))
        #expect(try place.run("ls -A").outputText == "secret\n")
        _ = try place.run("ln -s nowhere link")
        #expect(throws: KeyStoreError.self) {
            try NewFile(creating: place.folder.appendingPathComponent("link").path)
        }
        #expect(throws: KeyStoreError.self) { try NewFile(creating: "/nowhere/at/all") }
    }

    @Test func inputIsBounded() throws {
        let place = try Workplace()
        try place.write("12345", to: "five")
        let path = place.folder.appendingPathComponent("five").path
        #expect(try Input.read(path, limit: 5) == Array("12345".utf8))
        #expect(throws: CommandError(.badInput, path, "is larger than 4 bytes")) { try Input.read(path, limit: 4) }
        #expect(throws: CommandError(.badInput, "/", "is a directory where a file is needed")) { try Input.read("/") }
        #expect(throws: CommandError(.notFound, "/nowhere", "there is no such file")) { try Input.read("/nowhere") }
        #expect(try SecretInput(reading: path).withBytes { $0.count } == 5)
    }

    @Test func aHeldSignalWaits() async throws {
        // On a thread of its own: the mask of signals is a thread's.
        await withCheckedContinuation { continuation in
            Thread {
                let held = HeldSignals()
                var waited = [HeldSignals.isOneWaiting]
                pthread_kill(pthread_self(), SIGINT)
                waited.append(HeldSignals.isOneWaiting)
                held.forget()
                waited.append(HeldSignals.isOneWaiting)
                #expect(waited == [false, true, false])
                continuation.resume()
            }.start()
        }
    }

    @Test func hintsAndErrorsGoToStandardError() throws {
        let place = try Workplace()
        let finished = try place.run("waxctl sael")
        #expect(finished.output.isEmpty)
        #expect(finished.errorText == "waxctl: error: there is no command sael\nwaxctl: hint: did you mean seal?\n")
    }
}
