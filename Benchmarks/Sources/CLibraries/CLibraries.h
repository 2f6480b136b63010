// SPDX-License-Identifier: Apache-2.0
#include <openssl/x509.h>
