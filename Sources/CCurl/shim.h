#pragma once
#include <curl/curl.h>
#include <stdlib.h>
#include <sys/socket.h>
#if LIBCURL_VERSION_NUM < 0x075801
#error "libcurl 7.88.1 is the least"
#endif

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift does not call: one line for each kind of value.
static inline CURLcode waxwing_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode waxwing_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode waxwing_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode waxwing_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode waxwing_curl_set_write(CURL *handle, size_t (*body)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
}
static inline CURLcode waxwing_curl_set_progress(CURL *handle, int (*body)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, body);
}
static inline CURLcode waxwing_curl_set_open(CURL *handle, curl_socket_t (*body)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, body);
}
static inline CURLcode waxwing_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode waxwing_curl_get_text(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}
// CURLVERSION_NOW is a macro. Of the library as it was loaded: "7.88.1".
static inline const char *waxwing_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version;
}
// A macro. The file that SSLKEYLOGFILE names would be given the secrets of every connection; it is opened here, if at all.
static inline CURLcode waxwing_curl_begin(void) {
    unsetenv("SSLKEYLOGFILE");
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// A socket for an address, which no other program inherits.
static inline curl_socket_t waxwing_curl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
