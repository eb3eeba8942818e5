import Testing

@Suite struct SessionHardeningTests {
    @Test func forbidsDumps() throws {
        let result = try SessionFixture().probe(nil, "hardened")
        #expect(result.output == "dumpable 0 core 0")
    }

    /// Swift's backtracer prints registers and the memory they point at; it must not run even when it was asked for.
    @Test func printsNoMemoryWhenItCrashes() throws {
        let backtracer = ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no,limit=1,threads=crashed"]
        let result = try SessionFixture().probe(nil, environment: backtracer, "crash")
        #expect(result.signal == 4 || result.signal == 5)
        #expect(result.errors.contains("on purpose"))
        #expect(!result.errors.contains("Registers"))
        #expect(!result.errors.contains("Crash"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }
}
