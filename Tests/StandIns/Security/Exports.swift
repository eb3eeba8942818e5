@_exported public import AppleTypes
