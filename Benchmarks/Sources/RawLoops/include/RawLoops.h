// SPDX-License-Identifier: Apache-2.0
// Plain loops over the C libraries, as a C program would write them: the peers of the benchmarks.
#pragma once
#include <stddef.h>
#include <time.h>

struct raw_der {
  const unsigned char *bytes;
  size_t count;
};

// A chain of leaf, intermediate and root, parsed once.
struct raw_openssl;
struct raw_openssl *raw_openssl_new(struct raw_der leaf, struct raw_der intermediate, struct raw_der root);
void raw_openssl_free(struct raw_openssl *chain);

// Verifies the parsed chain that many times with one shared store; returns how many succeeded.
int raw_openssl_verify(struct raw_openssl *chain, const char *host, time_t now, int times);

// Parses the leaf anew each time and verifies it against the parsed intermediate and root.
int raw_openssl_parse_and_verify(struct raw_openssl *chain, const struct raw_der *leaves, int count, const char *host,
                                 time_t now);

struct raw_gnutls;
struct raw_gnutls *raw_gnutls_new(struct raw_der leaf, struct raw_der intermediate, struct raw_der root);
void raw_gnutls_free(struct raw_gnutls *chain);

// As raw_openssl_verify, with gnutls_x509_trust_list_verify_crt2. GnuTLS has one clock for the process; times are not
// checked.
int raw_gnutls_verify(struct raw_gnutls *chain, const char *host, int times);
