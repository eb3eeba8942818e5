internal import CMicrohttpd
import Glibc
import KeyStore

// What libmicrohttpd calls. A listener outlives its daemon, and the daemon its connections.

private func listener(_ context: UnsafeMutableRawPointer?) -> HTTPListener? {
    context.map { Unmanaged<HTTPListener>.fromOpaque($0).takeUnretainedValue() }
}

private func connectionState(of connection: OpaquePointer?) -> HTTPConnection? {
    waxwing_http_state(connection).map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
}

/// A connection begins or ends.
let mhdConnection: MHD_NotifyConnectionCallback = { context, connection, state, event in
    guard let listener = listener(context), let state else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
        let socket = waxwing_http_socket(connection)
        let made = HTTPConnection(socket: socket, peer: try? PeerCredentials(of: socket), now: MonotonicClock.seconds)
        state.pointee = Unmanaged.passRetained(made).toOpaque()
        listener.connections.add(made)
    } else if let pointer = state.pointee {
        state.pointee = nil
        listener.connections.remove(Unmanaged<HTTPConnection>.fromOpaque(pointer).takeRetainedValue())
    }
}

/// Segments are decoded one by one, later.
let mhdUnescape: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = { _, _, text in
    text.map { strlen($0) } ?? 0
}

/// A request: once for its head, then for each piece of its body, then once more; and again after it was resumed.
let mhdRequest: MHD_AccessHandlerCallback = { context, connection, url, method, _, data, dataCount, exchange in
    guard let listener = listener(context), let connection, let url, let method, let dataCount, let exchange,
        let state = connectionState(of: connection)
    else { return .NO }
    let request = MHDRequest(listener: listener, connection: connection, state: state)
    guard let pointer = exchange.pointee else {
        let made = request.begin(url: String(cString: url), method: String(cString: method))
        exchange.pointee = Unmanaged.passRetained(made).toOpaque()
        return request.answered(made)
    }
    let running = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    if dataCount.pointee > 0 {
        running.take(UnsafeRawBufferPointer(start: data, count: dataCount.pointee))
        dataCount.pointee = 0
        return .YES
    }
    return request.complete(running)
}

/// A request ended: answered, or not to be answered any more.
let mhdCompleted: MHD_RequestCompletedCallback = { context, connection, exchange, reason in
    guard let listener = listener(context), let pointer = exchange?.pointee else { return }
    exchange?.pointee = nil
    let ended = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
    let now = MonotonicClock.seconds
    ended.connection.wait(for: .head, now: now)
    let answer = reason == .REQUEST_TERMINATED_COMPLETED_OK ? ended.answer : nil
    listener.handler.ended(ended.task, answer, seconds: now - ended.started, byteCount: ended.byteCount)
}
