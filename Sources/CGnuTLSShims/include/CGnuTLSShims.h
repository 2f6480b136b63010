// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import from GnuTLS: global function pointers and callbacks. Every function is prefixed cgnutls_.
// Swift reads this header without the trait's macro, so declarations ask for the library's header; definitions are in
// the .c file, under the macro.
#pragma once
#if __has_include(<gnutls/gnutls.h>)
#include <gnutls/gnutls.h>

/// gnutls_free, which is a global variable that points to a function; NULL is allowed.
void cgnutls_free(void *_Nullable memory);
#endif
