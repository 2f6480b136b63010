// SPDX-License-Identifier: Apache-2.0
#ifdef STEELPIN_OPENSSL
#include "COpenSSLShims.h"
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <string.h>

// OpenSSL 3.0 collects every decoder of every provider whenever it decodes a public key, some hundred of them, and
// spends more time on that than on the signature. The context made here has one provider that lends the algorithms of
// the real default provider, and of its decoders only those for a SubjectPublicKeyInfo.

static OSSL_PROVIDER *real_provider;
static OSSL_ALGORITHM public_key_decoders[64];
static OSSL_LIB_CTX *slim_context;
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;

static void choose_decoders(void) {
  int no_cache = 0;
  size_t count = 0;
  const OSSL_ALGORITHM *all = OSSL_PROVIDER_query_operation(real_provider, OSSL_OP_DECODER, &no_cache);
  for (; all != NULL && all->algorithm_names != NULL; all++)
    if (strstr(all->property_definition, "structure=SubjectPublicKeyInfo") != NULL &&
        count < sizeof public_key_decoders / sizeof *public_key_decoders - 1)
      public_key_decoders[count++] = *all;
}

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_cache) {
  (void)provider;
  if (operation != OSSL_OP_DECODER)
    return OSSL_PROVIDER_query_operation(real_provider, operation, no_cache);
  *no_cache = 0;
  return public_key_decoders;
}

static const OSSL_DISPATCH functions[] = {{OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query}, {0, NULL}};

static int lend(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context) {
  (void)handle;
  (void)in;
  *context = OSSL_PROVIDER_get0_provider_ctx(real_provider);
  *out = functions;
  return 1;
}

static void make_context(void) {
  // Where the machine is set up for other providers, as for FIPS, they are what has to be used.
  if (EVP_default_properties_is_fips_enabled(NULL) || !OSSL_PROVIDER_available(NULL, "default"))
    return;
  OSSL_LIB_CTX *base = OSSL_LIB_CTX_new();
  OSSL_LIB_CTX *slim = OSSL_LIB_CTX_new();
  if (base != NULL && slim != NULL && (real_provider = OSSL_PROVIDER_load(base, "default")) != NULL) {
    choose_decoders();
    if (public_key_decoders[0].algorithm_names != NULL && OSSL_PROVIDER_add_builtin(slim, "steelpin", lend) &&
        OSSL_PROVIDER_load(slim, "steelpin") != NULL) {
      // Both live as long as the process, like the default context.
      slim_context = slim;
      return;
    }
  }
  OSSL_LIB_CTX_free(slim);
  OSSL_LIB_CTX_free(base);
  ERR_clear_error();
}

OSSL_LIB_CTX *cossl_verification_context(void) { return CRYPTO_THREAD_run_once(&once, make_context) ? slim_context : NULL; }
#endif
