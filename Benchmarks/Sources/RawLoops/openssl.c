// SPDX-License-Identifier: Apache-2.0
#include "RawLoops.h"
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

struct raw_openssl {
  X509 *leaf;
  X509 *intermediate;
  X509 *root;
  X509_STORE *store;
  STACK_OF(X509) *untrusted;
};

static X509 *parse(struct raw_der der) {
  const unsigned char *cursor = der.bytes;
  return d2i_X509(NULL, &cursor, (long)der.count);
}

struct raw_openssl *raw_openssl_new(struct raw_der leaf, struct raw_der intermediate, struct raw_der root) {
  struct raw_openssl *chain = calloc(1, sizeof *chain);
  chain->leaf = parse(leaf);
  chain->intermediate = parse(intermediate);
  chain->root = parse(root);
  chain->store = X509_STORE_new();
  X509_STORE_add_cert(chain->store, chain->root);
  chain->untrusted = sk_X509_new_null();
  sk_X509_push(chain->untrusted, chain->intermediate);
  return chain;
}

void raw_openssl_free(struct raw_openssl *chain) {
  sk_X509_free(chain->untrusted);
  X509_STORE_free(chain->store);
  X509_free(chain->leaf);
  X509_free(chain->intermediate);
  X509_free(chain->root);
  free(chain);
}

static int verify(struct raw_openssl *chain, X509 *leaf, const char *host, time_t now) {
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  X509_STORE_CTX_init(context, chain->store, leaf, chain->untrusted);
  X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
  X509_VERIFY_PARAM_set_time(parameters, now);
  X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER);
  X509_VERIFY_PARAM_set1_host(parameters, host, 0);
  int result = X509_verify_cert(context) == 1;
  X509_STORE_CTX_free(context);
  return result;
}

int raw_openssl_verify(struct raw_openssl *chain, const char *host, time_t now, int times) {
  int good = 0;
  for (int i = 0; i < times; i++)
    good += verify(chain, chain->leaf, host, now);
  return good;
}

int raw_openssl_parse_and_verify(struct raw_openssl *chain, const struct raw_der *leaves, int count, const char *host,
                                 time_t now) {
  int good = 0;
  for (int i = 0; i < count; i++) {
    X509 *leaf = parse(leaves[i]);
    good += verify(chain, leaf, host, now);
    X509_free(leaf);
  }
  return good;
}
