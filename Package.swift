// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Who may import whom is drawn in CONTRIBUTING.md and checked by scripts/check-structure.
// Warnings are errors where they are known: the deprecations of a newer SDK are no reason not to build an app.
#if os(Linux)
    let strictness: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
    let strictness: [SwiftSetting] = []
#endif
let settings: [SwiftSetting] =
    [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault")] + strictness

// CryptoPrimitives has two halves with the same names; the machine that builds tells which one is compiled.
#if os(Linux)
    let otherHalf = "Apple"
#else
    let otherHalf = "OpenSSL"
#endif

// Images are scaled where the headers of all four decoders are installed; WAXWING_IMAGES=0 builds without them, =1 insists.
let imageHeaders = ["jpeglib.h", "png.h", "gif_lib.h", "webp/decode.h"]
let hasImageDecoders = imageHeaders.allSatisfy { header in
    ["/usr/include", "/usr/local/include"].contains { FileManager.default.fileExists(atPath: "\($0)/\(header)") }
}
let scalesImages = Context.environment["WAXWING_IMAGES"].map { $0 != "0" } ?? hasImageDecoders
let imageLibraries = scalesImages ? ["jpeg", "png", "gif", "webp"] : []

// On Linux the process of a simulated extension is linked statically where the archives are there, its functions in the order of a
// list (docs/decisions/0020). WAXWING_STATIC_EXTENSION=0 links it as everything else is: sanitizers need that.
let archiveFolders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"]
let hasArchives = (["crypto", "z"] + imageLibraries).allSatisfy { library in
    archiveFolders.contains { FileManager.default.fileExists(atPath: "\($0)/lib\(library).a") }
}
let isExtensionStatic = hasArchives && Context.environment["WAXWING_STATIC_EXTENSION"] != "0"
let extensionLinking: [LinkerSetting] =
    isExtensionStatic
    ? [
        .unsafeFlags(
            [
                "-static-executable", "-use-ld=lld", "-Xlinker", "--no-warn-symbol-ordering", "-Xlinker",
                "--symbol-ordering-file=\(Context.packageDirectory)/Sources/ExtensionProcess/symbol-order.txt",
            ], .when(platforms: [.linux])),
        // What the archives need besides, where a build with shared libraries does not say so.
        .linkedLibrary("z", .when(platforms: [.linux])),
        .linkedLibrary("_FoundationCollections", .when(platforms: [.linux])),
        .linkedLibrary("_FoundationCShims", .when(platforms: [.linux])),
    ] : []

// The Apple face of the opener is compiled on Linux too, against stand-ins that no product contains.
#if os(Linux)
    let openerProduct = ["OpenerNSE"]
    let standIns: [Target.Dependency] = ["AppleTypes", "UserNotifications", "Security", "ImageIO", "os"]
    func standIn(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, path: "Tests/StandIns/\(name)", swiftSettings: settings)
    }
    let faceTargets: [Target] = [
        standIn("DeviceEmulation"), standIn("os"), standIn("AppleTypes", ["DeviceEmulation"]),
        standIn("ImageIO", ["AppleTypes", "ImageScaler", "OpenerNSE"]),
        standIn("UserNotifications", ["AppleTypes"]), standIn("Security", ["AppleTypes", "DeviceEmulation"]),
        standIn("UIKit", ["AppleTypes"]), standIn("CryptoKit", ["CryptoPrimitives"]),
        // What it links replaces a name of libcurl in the process of the tests, which only URLSession uses.
        .target(name: "CSessionTrust", path: "Tests/CSessionTrust", linkerSettings: [.linkedLibrary("curl")]),
        // No executable, since each of them is a product; where it begins is for Xcode.
        .target(
            name: "ChatExample", dependencies: ["OpenerNSEApple", "AppleTypes", "UserNotifications", "os", "UIKit"],
            path: "Examples/iOS",
            exclude: [
                "README.md", "Chat/Begin.swift", "Chat/Chat.entitlements", "Chat/Info.plist", "NotificationService/Info.plist",
                "NotificationService/NotificationService.entitlements", "Shared/PrivacyInfo.xcprivacy",
            ],
            // As a new app target is in Xcode 26.
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        // As a new Xcode target is: Swift 5 mode.
        .target(
            name: "AppleSnippets", dependencies: standIns + ["CryptoKit"], path: "Tests/AppleSnippets", exclude: ["README.md"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "AppleFaceTests",
            dependencies: standIns + [
                "OpenerNSEApple", "OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "DeviceEmulation", "AppleSnippets", "TestSupport",
                "ChatExample", "UIKit", "ImageScaler", "CImageFixtures", "CSessionTrust",
            ],
            exclude: ["Support/chat_backend.py"],
            swiftSettings: settings),
    ]
#else
    let openerProduct = ["OpenerNSE", "OpenerNSEApple"]
    let standIns: [Target.Dependency] = []
    let faceTargets: [Target] = []
#endif

// What scripts/fuzz builds, and nobody else: it has libFuzzer's entry and names of the C library.
let fuzzTargets: [Target] =
    Context.environment["WAXWING_FUZZ"] == nil
    ? []
    : [
        .target(name: "CFuzzMeter", path: "Tests/Fuzz/CFuzzMeter"),
        .executableTarget(
            name: "fuzz", dependencies: ["Simulator", "KeyStore", "OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "CFuzzMeter"],
            path: "Tests/Fuzz/Fuzz", swiftSettings: settings),
    ]

let package = Package(
    name: "waxwing",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(name: "OpenerNSE", targets: openerProduct),
        .library(name: "Sealer", targets: ["Sealer"]),
        .library(name: "KeyStore", targets: ["KeyStore"]),
        .executable(name: "keyctl", targets: ["keyctl"]),
        .executable(name: "waxwing-extension", targets: ["waxwing-extension"]),
        .executable(name: "sealerd", targets: ["sealerd"]),
    ],
    targets: [
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
        .systemLibrary(name: "CLinux"),

        .target(
            name: "CryptoPrimitives",
            dependencies: [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))],
            exclude: [otherHalf, "README.md"],
            swiftSettings: settings),
        .target(
            name: "EnvelopeFormat", dependencies: ["CryptoPrimitives"], exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "KeyStore",
            dependencies: ["EnvelopeFormat", "CryptoPrimitives", "CSQLite", "CSodium", "CLinux"],
            exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "Sealer", dependencies: ["KeyStore", "EnvelopeFormat", "CryptoPrimitives"], exclude: ["README.md"],
            swiftSettings: settings),
        .target(
            name: "BackendJSON", dependencies: ["Sealer", "KeyStore", "EnvelopeFormat"], exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "OpenerNSE", dependencies: ["EnvelopeFormat", "CryptoPrimitives"], exclude: ["Apple", "README.md"],
            swiftSettings: settings),
        .target(
            name: "ExtensionChannel", dependencies: ["OpenerNSE", "EnvelopeFormat", "CryptoPrimitives"],
            exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "OpenerNSEApple", dependencies: ["OpenerNSE", "EnvelopeFormat", "CryptoPrimitives"] + standIns,
            path: "Sources/OpenerNSE/Apple", swiftSettings: settings),
        // What the simulator runs an extension in: as little as an extension has, so that its memory can be measured.
        .executableTarget(
            name: "waxwing-extension",
            dependencies: ["ExtensionChannel", "ImageScaler", "OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "CLinux", "COpenSSL"],
            path: "Sources/ExtensionProcess", exclude: ["README.md", "symbol-order.txt"], swiftSettings: settings,
            linkerSettings: extensionLinking),
        .target(
            name: "Simulator",
            dependencies: ["KeyStore", "OpenerNSE", "ExtensionChannel", "EnvelopeFormat", "CryptoPrimitives", "CLinux", "CCurl"],
            exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "CImages",
            cSettings: scalesImages ? [.define("WAXWING_IMAGES")] : [],
            linkerSettings: imageLibraries.map { .linkedLibrary($0) }),
        .target(
            name: "ImageScaler", dependencies: ["OpenerNSE", "CImages"], exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "VectorFiles", dependencies: ["Simulator", "KeyStore", "EnvelopeFormat", "CryptoPrimitives"],
            exclude: ["README.md"], swiftSettings: settings),
        .executableTarget(
            name: "keyctl",
            dependencies: [
                "BackendJSON", "KeyStore", "Sealer", "OpenerNSE", "Simulator", "VectorFiles", "EnvelopeFormat", "CryptoPrimitives",
                "CLinux",
            ],
            exclude: ["README.md"], swiftSettings: settings),

        .target(
            name: "SealService",
            dependencies: ["BackendJSON", "Sealer", "KeyStore", "EnvelopeFormat", "CryptoPrimitives", "CMicrohttpd", "CGnuTLS"],
            exclude: ["README.md"], resources: [.embedInCode("openapi.json")], swiftSettings: settings),
        .executableTarget(
            name: "sealerd", dependencies: ["SealService", "KeyStore", "EnvelopeFormat"], exclude: ["README.md"], swiftSettings: settings),

        .target(name: "BenchmarkSupport", path: "Benchmarks/support", swiftSettings: settings),
        .executableTarget(
            name: "seal-benchmark",
            dependencies: ["BenchmarkSupport", "Sealer", "KeyStore", "EnvelopeFormat", "CryptoPrimitives", "COpenSSL"],
            path: "Benchmarks/seal-benchmark", swiftSettings: settings),

        .executableTarget(
            name: "million-benchmark",
            dependencies: ["BenchmarkSupport", "Sealer", "KeyStore", "EnvelopeFormat", "CryptoPrimitives", "CSQLite"],
            path: "Benchmarks/million-benchmark", swiftSettings: settings),

        .executableTarget(
            name: "extension-benchmark",
            dependencies: [
                "BenchmarkSupport", "Simulator", "ExtensionChannel", "OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "CImageFixtures",
            ],
            path: "Benchmarks/extension-benchmark", swiftSettings: settings),
        .executableTarget(
            name: "timing-benchmark", dependencies: ["BenchmarkSupport", "OpenerNSE", "EnvelopeFormat", "CryptoPrimitives"],
            path: "Benchmarks/timing-benchmark", swiftSettings: settings),
        .executableTarget(
            name: "empty-extension", dependencies: ["ImageScaler", "CryptoPrimitives"],
            path: "Benchmarks/empty-extension", swiftSettings: settings, linkerSettings: extensionLinking),
        .executableTarget(
            name: "empty-program", dependencies: ["KeyStore", "CryptoPrimitives"],
            path: "Benchmarks/empty-program", swiftSettings: settings),

        .executableTarget(
            name: "session-probe", dependencies: ["KeyStore", "CLinux"], path: "Tests/SessionProbe",
            swiftSettings: settings),
        .executableTarget(
            name: "keychain-probe", dependencies: ["KeyStore", "EnvelopeFormat", "CryptoPrimitives"],
            path: "Tests/KeychainProbe", swiftSettings: settings),
        .executableTarget(
            name: "template-probe", dependencies: ["OpenerNSE", "EnvelopeFormat"], path: "Tests/TemplateProbe",
            swiftSettings: settings),
        .executableTarget(
            name: "image-probe", dependencies: ["ImageScaler", "OpenerNSE"], path: "Tests/ImageProbe",
            swiftSettings: settings),
        .target(
            name: "CImageFixtures", path: "Tests/CImageFixtures",
            cSettings: scalesImages ? [.define("WAXWING_IMAGES")] : [],
            linkerSettings: imageLibraries.map { .linkedLibrary($0) }),
        .systemLibrary(name: "CTestFaults", path: "Tests/CTestFaults"),
        .executableTarget(
            name: "seal-worker", dependencies: ["Sealer", "KeyStore", "EnvelopeFormat", "CTestFaults"],
            path: "Tests/SealWorker", swiftSettings: settings),
        .target(name: "CCrashFaults", dependencies: ["CSQLite"], path: "Tests/CCrashFaults"),
        .target(
            name: "CrashSupport",
            dependencies: [
                "Simulator", "Sealer", "KeyStore", "OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "StoreFixtures",
                "TestSupport",
            ],
            path: "Tests/CrashSupport", swiftSettings: settings),
        // No test may depend on it: what it links would replace names of the C library in the process of the tests.
        .executableTarget(
            name: "crash-worker", dependencies: ["CrashSupport", "KeyStore", "CCrashFaults"], path: "Tests/CrashWorker",
            swiftSettings: settings),
        .executableTarget(
            name: "queue-worker", dependencies: ["OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "CCrashFaults"],
            path: "Tests/QueueWorker",
            swiftSettings: settings),
        .target(
            name: "SealTestSupport", dependencies: ["Sealer", "KeyStore", "EnvelopeFormat", "CryptoPrimitives"],
            path: "Tests/SealTestSupport", swiftSettings: settings),
        .target(
            name: "StoreFixtures", dependencies: ["KeyStore", "CSQLite", "TestSupport"], path: "Tests/StoreFixtures",
            swiftSettings: settings),
        .target(name: "TestSupport", path: "Tests/TestSupport", exclude: ["image_server.py"], swiftSettings: settings),
        .testTarget(
            name: "CryptoPrimitivesTests",
            dependencies: ["CryptoPrimitives", "EnvelopeFormat", "VectorFiles", "COpenSSL", "CSodium", "TestSupport"], exclude: ["Vectors"],
            swiftSettings: settings),
        .testTarget(
            name: "VectorFilesTests", dependencies: ["VectorFiles", "EnvelopeFormat", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "EnvelopeFormatTests",
            dependencies: ["EnvelopeFormat", "CryptoPrimitives", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "KeyStoreTests",
            dependencies: [
                "KeyStore", "EnvelopeFormat", "CryptoPrimitives", "CSQLite", "CTestFaults", "TestSupport", "StoreFixtures",
                "session-probe", "keychain-probe",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SealerTests",
            dependencies: [
                "Sealer", "KeyStore", "EnvelopeFormat", "CryptoPrimitives", "TestSupport", "SealTestSupport",
                "seal-worker",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OpenerNSETests",
            dependencies: ["OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "TestSupport", "queue-worker", "template-probe"],
            swiftSettings: settings),
        .testTarget(
            name: "ImageScalerTests",
            dependencies: ["ImageScaler", "CImageFixtures", "OpenerNSE", "TestSupport", "image-probe"],
            swiftSettings: settings),
        // waxwing-extension, which they run, is built with all else; as a dependency it would have the tests linked as it is.
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "Simulator", "Sealer", "KeyStore", "OpenerNSE", "EnvelopeFormat", "CryptoPrimitives", "TestSupport",
                "SealTestSupport", "StoreFixtures", "seal-worker", "ImageScaler", "CImageFixtures",
            ],
            swiftSettings: settings + (isExtensionStatic ? [.define("STATIC_EXTENSION")] : [])),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "CrashSupport", "KeyStore", "EnvelopeFormat", "TestSupport", "SealTestSupport", "StoreFixtures", "seal-worker",
                "session-probe",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "KeyctlTests",
            dependencies: ["keyctl", "KeyStore", "EnvelopeFormat", "TestSupport", "StoreFixtures", "CSQLite"],
            exclude: ["Runbook", "Transcripts"], swiftSettings: settings),
        .testTarget(
            name: "SealServiceTests",
            dependencies: ["SealService", "sealerd", "Sealer", "KeyStore", "EnvelopeFormat", "CryptoPrimitives", "TestSupport"],
            swiftSettings: settings),
    ] + faceTargets + fuzzTargets,
    swiftLanguageModes: [.v6]
)
