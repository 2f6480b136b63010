// SPDX-License-Identifier: Apache-2.0
#ifdef STEELPIN_GNUTLS
#include "CGnuTLSShims.h"

void cgnutls_free(void *memory) { gnutls_free(memory); }
#endif
