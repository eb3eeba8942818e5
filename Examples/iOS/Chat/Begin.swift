/// Where the app begins. A file of its own, since only an app has a beginning, and the tests compile all others.
@main extension AppDelegate {}
