import OpenerNSEApple

nonisolated final class NotificationService: OpenerServiceExtension {
    override class var settings: OpenerSettings { .chat }
}
