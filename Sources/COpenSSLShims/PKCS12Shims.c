// SPDX-License-Identifier: Apache-2.0
#ifdef STEELPIN_OPENSSL
#include "COpenSSLShims.h"
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>
#include <limits.h>
#include <openssl/provider.h>
#include <string.h>
#include <pthread.h>

// RC2 and single DES live in the legacy provider, which must not be let into anything but the opening of old files.
static OSSL_LIB_CTX *library_context;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_context(void) {
  OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
  if (!context)
    return;
  if (!OSSL_PROVIDER_load(context, "default")) {
    OSSL_LIB_CTX_free(context);
    return;
  }
  OSSL_PROVIDER_load(context, "legacy"); // it may not be installed; then old files fail with a reason
  library_context = context;
  ERR_clear_error();
}

// One opening of a file.
typedef struct {
  const char *password;
  int length;
  cossl_pkcs12_item emit;
  void *user;
  int legacy;
} run;

static int is_legacy_cipher(int nid) {
  const char *name = OBJ_nid2sn(nid);
  return name == NULL || strncmp(name, "AES-", 4) != 0;
}

static void note_algorithm(run *run, const X509_ALGOR *algorithm) {
  if (OBJ_obj2nid(algorithm->algorithm) != NID_pbes2) {
    run->legacy = 1; // PKCS#12's own schemes know nothing better than 3DES
    return;
  }
  PBE2PARAM *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
  if (parameters && is_legacy_cipher(OBJ_obj2nid(parameters->encryption->algorithm)))
    run->legacy = 1;
  PBE2PARAM_free(parameters);
}

static int emit_key(run *run, const PKCS8_PRIV_KEY_INFO *key) {
  unsigned char *der = NULL;
  int length = i2d_PKCS8_PRIV_KEY_INFO(key, &der);
  if (length <= 0)
    return 0;
  run->emit(run->user, 1, der, (size_t)length);
  OPENSSL_clear_free(der, (size_t)length);
  return 1;
}

static int open_bags(run *run, const STACK_OF(PKCS12_SAFEBAG) *bags, int depth);

static int open_bag(run *run, const PKCS12_SAFEBAG *bag, int depth) {
  switch (PKCS12_SAFEBAG_get_nid(bag)) {
  case NID_certBag: {
    if (PKCS12_SAFEBAG_get_bag_nid(bag) != NID_x509Certificate)
      return 1;
    X509 *certificate = PKCS12_SAFEBAG_get1_cert(bag);
    unsigned char *der = NULL;
    int length = certificate ? i2d_X509(certificate, &der) : -1;
    X509_free(certificate);
    if (length <= 0)
      return 0;
    run->emit(run->user, 0, der, (size_t)length);
    OPENSSL_free(der);
    return 1;
  }
  case NID_keyBag: return emit_key(run, PKCS12_SAFEBAG_get0_p8inf(bag));
  case NID_pkcs8ShroudedKeyBag: {
    const X509_ALGOR *algorithm = NULL;
    X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, NULL);
    note_algorithm(run, algorithm);
    PKCS8_PRIV_KEY_INFO *key = PKCS12_decrypt_skey_ex(bag, run->password, run->length, library_context, NULL);
    int result = key ? emit_key(run, key) : 0;
    PKCS8_PRIV_KEY_INFO_free(key);
    return result;
  }
  case NID_safeContentsBag: return depth > 4 ? 0 : open_bags(run, PKCS12_SAFEBAG_get0_safes(bag), depth + 1);
  default: return 1; // revocation lists and secrets are no certificates
  }
}

static int open_bags(run *run, const STACK_OF(PKCS12_SAFEBAG) *bags, int depth) {
  for (int i = 0; i < sk_PKCS12_SAFEBAG_num(bags); i++)
    if (!open_bag(run, sk_PKCS12_SAFEBAG_value(bags, i), depth))
      return 0;
  return 1;
}

static int open_safe(run *run, PKCS7 *safe) {
  STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
  if (PKCS7_type_is_data(safe)) {
    bags = PKCS12_unpack_p7data(safe);
  } else if (PKCS7_type_is_encrypted(safe)) {
    note_algorithm(run, safe->d.encrypted->enc_data->algorithm);
    bags = PKCS12_unpack_p7encdata(safe, run->password, run->length);
  }
  int result = bags ? open_bags(run, bags, 0) : 0;
  sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
  return result;
}

int cossl_pkcs12_open(const unsigned char *der, size_t length, const char *password, cossl_pkcs12_item emit,
                      void *user, int *legacy) {
  run run = {password, (int)strlen(password), emit, user, 0};
  pthread_once(&once, make_context);
  PKCS12 *file = library_context && length <= INT_MAX ? PKCS12_init_ex(NID_pkcs7_data, library_context, NULL) : NULL;
  const unsigned char *cursor = der;
  if (!file || !d2i_PKCS12(&file, &cursor, (long)length)) {
    PKCS12_free(file);
    return 0;
  }
  int result = 1;
  if (PKCS12_mac_present(file) && !PKCS12_verify_mac(file, run.password, run.length)) {
    // Some writers take an empty password for none at all.
    if (run.length == 0 && PKCS12_verify_mac(file, NULL, 0))
      run.password = NULL;
    else
      result = -1;
  }
  STACK_OF(PKCS7) *safes = result == 1 ? PKCS12_unpack_authsafes(file) : NULL;
  if (result == 1 && !safes)
    result = 0;
  for (int i = 0; result == 1 && i < sk_PKCS7_num(safes); i++)
    result = open_safe(&run, sk_PKCS7_value(safes, i));
  sk_PKCS7_pop_free(safes, PKCS7_free);
  PKCS12_free(file);
  *legacy = run.legacy;
  return result;
}
#endif
