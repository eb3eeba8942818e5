import OpenerNSEApple

final class NotificationService: OpenerServiceExtension {
    override class var settings: OpenerSettings { .chat }
}
