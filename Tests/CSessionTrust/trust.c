#define _GNU_SOURCE
#include "CSessionTrust.h"
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static char *_Atomic authorities;
// Whether this thread is in curl_easy_perform, which hands its handle on to a multi of its own: that is nobody's of FoundationNetworking.
static _Thread_local int is_easy;

void session_trust(const char *path) { authorities = strdup(path); }

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    return function;
}

// Both are found before libcurl's own.
CURLcode curl_easy_perform(CURL *easy) {
    CURLcode (*perform)(CURL *) = (CURLcode(*)(CURL *))next("curl_easy_perform");
    is_easy = 1;
    CURLcode code = perform(easy);
    is_easy = 0;
    return code;
}

// FoundationNetworking has set all of a handle's options by then.
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) {
    CURLMcode (*add)(CURLM *, CURL *) = (CURLMcode(*)(CURLM *, CURL *))next("curl_multi_add_handle");
    if (!is_easy && authorities != NULL && curl_easy_setopt(easy, CURLOPT_CAINFO, authorities) != CURLE_OK) abort();
    return add(multi, easy);
}
