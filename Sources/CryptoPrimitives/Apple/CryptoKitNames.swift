// On Apple's systems this module is CryptoKit, which takes and gives Foundation's `Data`.
@_exported public import CryptoKit
@_exported public import struct Foundation.Data
