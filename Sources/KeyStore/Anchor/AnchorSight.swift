/// What a reader has seen of anchors, so that it does not take a writer beside it for an older store.
///
/// A writer commits and then writes to the anchor. Who looks at the anchor while it reads a state from before that commit sees
/// a number that its state does not know; a state that is read after the number was seen has to know it.
final class AnchorSight {
    /// So often a reader looks before it believes an alarm.
    private static let looks = 3

    /// The numbers that anchors had before the present transaction began, by their paths.
    private var before: [String: Int64] = [:]
    /// Those that are seen in it.
    private var during: [String: Int64] = [:]
    private var isAlarmed = false
    private var count = 1

    /// What the standing comes to with what was seen before: an anchor that went on while the state was read says nothing
    /// against it when the number it had before is known to the store.
    func judged(_ standing: AnchorStanding, of row: AnchorRow, _ path: String) -> AnchorStanding {
        guard case .older(let anchored) = standing else { return standing }
        during[path] = anchored
        guard let number = before[path], number <= row.number else { return standing }
        return .holds
    }

    func noteAlarm() { isAlarmed = true }

    /// Whether the alarm has to be looked at again, in a transaction that begins after this.
    func isToLookAgain() -> Bool {
        guard isAlarmed, count < Self.looks else { return false }
        count += 1
        isAlarmed = false
        before = during
        during = [:]
        return true
    }
}
