#pragma once
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#if GNUTLS_VERSION_NUMBER < 0x030709
#error "GnuTLS 3.7.9 is the least"
#endif
