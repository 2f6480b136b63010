// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import from GnuTLS: global function pointers and callbacks. Every function is prefixed cgnutls_.
#pragma once
#ifdef STEELPIN_GNUTLS
#include <gnutls/gnutls.h>
#endif
