public import KeyStore

/// An operation that is stopped at every point: what there is before it, and what it does.
public struct CrashOperation: Sendable {
    /// One act: after it there is a state that lasts.
    public struct Step: Sendable {
        /// How it is answered that it was done already; nil when doing it again is something new.
        public let again: KeyStoreError.Kind?
        /// Whether it takes several transactions, so that it may have been done in part; repeating it completes it.
        public let isGradual: Bool
        /// Whether it is so only when it is killed: where it ends with an error, nothing of it was done.
        public let failsWhole: Bool
        /// Whether the audit logs say of it that it was done, as ``CrashScene/outcome()`` counts them.
        public let isEntered: Bool
        let run: @Sendable (CrashScene) throws -> Void
    }

    public let name: String
    /// Whether its stores are fixtures.
    public let isOnFixtures: Bool
    let prepare: @Sendable (CrashScene) throws -> Void
    public let steps: [Step]

    /// - Parameter prepare: what there is before, on top of ``CrashScene/makeBase()``.
    /// - Parameter loses: the directory of a store that is not there any more when the operation begins; checkpoints are
    ///   taken by the preparation then.
    init(
        _ name: String, prepare: @escaping @Sendable (CrashScene) throws -> Void = { _ in },
        loses: (@Sendable (CrashScene) -> String)? = nil, _ steps: [Step]
    ) {
        self.name = name
        isOnFixtures = false
        self.prepare = { scene in
            try scene.makeBase()
            try prepare(scene)
            guard let loses else { return try scene.keepCheckpoints() }
            try scene.lose(loses(scene))
        }
        self.steps = steps
    }

    /// An operation for which there is nothing before.
    init(founding name: String, _ steps: [Step]) {
        self.name = name
        isOnFixtures = false
        prepare = { _ in }
        self.steps = steps
    }

    /// An operation on stores that an older version made.
    init(older name: String, _ steps: [Step]) {
        self.name = name
        isOnFixtures = true
        prepare = { try $0.makeOlder() }
        self.steps = steps
    }

    public func prepare(_ scene: CrashScene) throws { try prepare(scene) as Void }

    /// Runs one step by its own clock.
    public func run(_ step: Int, in scene: CrashScene) throws {
        scene.begin(step: step)
        try steps[step].run(scene)
    }

    /// Runs a step that was done: answered as it must be, or not at all when it would be something new.
    public func repeatDone(_ step: Int, in scene: CrashScene) throws {
        guard let again = steps[step].again else { return }
        do { try run(step, in: scene) } catch let error as KeyStoreError where error.kind == again { return }
        throw CrashFailure("step \(step) was done again, where \(again) was expected")
    }

    public static func named(_ name: String) -> CrashOperation? { (all + draining + [idle]).first { $0.name == name } }
}

extension CrashOperation: CustomStringConvertible {
    public var description: String { name }
}

extension CrashOperation.Step {
    static func act(
        again: KeyStoreError.Kind? = nil, isGradual: Bool = false, failsWhole: Bool = false, isEntered: Bool = true,
        _ run: @escaping @Sendable (CrashScene) throws -> Void
    ) -> Self {
        Self(again: again, isGradual: isGradual, failsWhole: failsWhole, isEntered: isEntered, run: run)
    }
}
