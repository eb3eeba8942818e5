// Off Apple's systems this module declares CryptoKit's names itself, in this folder. `Data`, which they take and give, comes along, as
// no module has it on both.
@_exported public import struct FoundationEssentials.Data
