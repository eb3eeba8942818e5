import Foundation
import UserNotifications

func renderLocalized(
    key: String,
    args: [String: String],
    locale: Locale,
    group: String
) -> String {
    let containerURL = FileManager.default
        .containerURL(forSecurityApplicationGroupIdentifier: group)
    let langCode = locale.identifier.prefix(2)
    let url =
        containerURL?
        .appendingPathComponent("notifications-\(langCode).json")

    guard let url = url,
        let data = try? Data(contentsOf: url),
        let dict = try? JSONSerialization.jsonObject(with: data) as? [String: String],
        let template = dict[key]
    else {
        return key
    }

    var result = template
    for (placeholder, value) in args {
        result = result.replacingOccurrences(of: "{\(placeholder)}", with: value)
    }
    return result
}
