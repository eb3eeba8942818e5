// One import is all an app or an extension writes.
@_exported public import EnvelopeFormat
@_exported public import OpenerNSE
