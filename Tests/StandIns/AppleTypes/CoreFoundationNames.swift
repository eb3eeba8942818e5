@_exported public import Foundation

// Core Foundation's types are bridged on Apple's systems; here they are Foundation's classes, to which `as` bridges as well.
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFArray = NSArray
public typealias CFData = NSData
public typealias CFMutableData = NSMutableData
public typealias CFURL = NSURL
public typealias CFBoolean = NSNumber
public typealias CFTypeRef = AnyObject

public let kCFBooleanTrue: CFBoolean? = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean? = NSNumber(value: false)

public typealias CFAbsoluteTime = Double

/// Seconds since the beginning of 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }
