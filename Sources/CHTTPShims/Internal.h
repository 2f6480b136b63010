// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "CHTTPShims.h"

// What chttp_start was given.
extern const struct chttp_callbacks *chttp_callbacks_in_use;

// Prepares the SSL_CTX of a new connection that is to be judged; `number` is that of the request that makes it.
CURLcode chttp_prepare_context(CURL *handle, void *ssl_context, void *number);
