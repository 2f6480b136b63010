// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import from OpenSSL: function-like macros and callbacks. Every function is prefixed cossl_.
// Swift reads this header without the trait's macro, so declarations ask for the library's header; definitions are in
// the .c file, under the macro.
#pragma once
#if __has_include(<openssl/ssl.h>)
#include <openssl/ssl.h>
#endif
