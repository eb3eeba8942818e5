import EnvelopeFormat
import SealTestSupport
import Testing

@testable import Sealer
