// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/ocsp.h>
#include <gnutls/pkcs12.h>
#include <gnutls/x509.h>
