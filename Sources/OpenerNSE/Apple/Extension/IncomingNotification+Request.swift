internal import EnvelopeFormat
internal import OpenerNSE
internal import UserNotifications

extension IncomingNotification {
    /// What the system hands over, as far as the opener looks at it.
    /// - Parameter arrival: seconds since 1970.
    init(_ request: UNNotificationRequest, arrival: Int64) {
        let userInfo = request.content.userInfo
        self.init(
            identifier: request.identifier, sealed: PropertyList.sealed(userInfo), imageURL: userInfo[PayloadName.image] as? String,
            arrival: arrival)
    }
}
