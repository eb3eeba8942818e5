@_exported public import AppleTypes
@_exported public import FoundationNetworking
