#define _GNU_SOURCE
#include "CSessionTrust.h"
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static char *_Atomic authorities;

void session_trust(const char *path) { authorities = strdup(path); }

// Found before libcurl's own. FoundationNetworking has set all of its options by then, among them what a handle is of: nobody else's are
// touched, of which libcurl itself hands some over here.
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) {
    CURLMcode (*add)(CURLM *, CURL *) = (CURLMcode(*)(CURLM *, CURL *))dlsym(RTLD_NEXT, "curl_multi_add_handle");
    if (add == NULL) abort();
    char *owner = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &owner) != CURLE_OK) abort();
    if (owner != NULL && authorities != NULL && curl_easy_setopt(easy, CURLOPT_CAINFO, authorities) != CURLE_OK) abort();
    return add(multi, easy);
}
