/// How much a notification interrupts.
public enum UNNotificationInterruptionLevel: UInt, @unchecked Sendable {
    case passive
    case active
    case timeSensitive
    case critical
}
