#pragma once
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#if MHD_VERSION < 0x00097500
#error "libmicrohttpd 0.9.75 is the least"
#endif

// What a daemon is started with. Texts that are not wanted are NULL.
struct waxwing_http_settings {
    int listening_socket;
    unsigned int thread_count;
    unsigned int most_connections;
    // Bytes for one connection's request line and headers.
    size_t header_byte_count;
    // Seconds without a byte.
    unsigned int idle_seconds;
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    size_t (*unescape)(void *, struct MHD_Connection *, char *);
    void *context;
    const char *certificate, *private_key, *authority, *priorities;
};

// MHD_start_daemon is variadic, which Swift does not call. Resuming has to be allowed for, as answers come from other threads.
static inline struct MHD_Daemon *waxwing_http_start(const struct waxwing_http_settings *settings) {
    struct MHD_OptionItem tls[5] = {{MHD_OPTION_END, 0, NULL}};
    int count = 0;
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (settings->certificate) {
        flags |= MHD_USE_TLS;
        tls[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate};
        tls[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->private_key};
        tls[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->priorities};
        if (settings->authority) tls[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0, (void *)settings->authority};
        tls[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    }
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->request, settings->context, MHD_OPTION_LISTEN_SOCKET, settings->listening_socket,
        MHD_OPTION_THREAD_POOL_SIZE, settings->thread_count, MHD_OPTION_CONNECTION_LIMIT, settings->most_connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->header_byte_count, MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context, MHD_OPTION_NOTIFY_CONNECTION, settings->connection,
        settings->context, MHD_OPTION_UNESCAPE_CALLBACK, settings->unescape, settings->context, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

// MHD_get_connection_info is variadic too.
static inline int waxwing_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
static inline void *waxwing_http_state(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
static inline void *waxwing_http_tls(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? info->tls_session : NULL;
}
