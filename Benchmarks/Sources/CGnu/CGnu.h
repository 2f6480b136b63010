// SPDX-License-Identifier: Apache-2.0
#include <gnutls/x509.h>
