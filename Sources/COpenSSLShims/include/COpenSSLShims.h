// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import from OpenSSL: function-like macros and callbacks. Every function is prefixed cossl_.
#pragma once
#ifdef STEELPIN_OPENSSL
#include <openssl/ssl.h>
#endif
