// SPDX-License-Identifier: Apache-2.0
#ifdef STEELPIN_OPENSSL
#include "COpenSSLShims.h"
#include <openssl/asn1t.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/provider.h>
#include <stdint.h>

static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static OSSL_LIB_CTX *legacy;

static void load_legacy(void) {
  OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
  if (context == NULL)
    return;
  if (OSSL_PROVIDER_load(context, "legacy") != NULL && OSSL_PROVIDER_load(context, "default") != NULL)
    legacy = context;
  else
    OSSL_LIB_CTX_free(context);
}

OSSL_LIB_CTX *cossl_legacy_context(void) { return CRYPTO_THREAD_run_once(&once, load_legacy) ? legacy : NULL; }

STACK_OF(PKCS12_SAFEBAG) *cossl_bags_new(void) { return sk_PKCS12_SAFEBAG_new_null(); }
int cossl_bags_count(const STACK_OF(PKCS12_SAFEBAG) *bags) { return sk_PKCS12_SAFEBAG_num(bags); }
PKCS12_SAFEBAG *cossl_bags_at(const STACK_OF(PKCS12_SAFEBAG) *bags, int index) {
  return sk_PKCS12_SAFEBAG_value(bags, index);
}
void cossl_bags_free(STACK_OF(PKCS12_SAFEBAG) *bags) { sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free); }

// PBES2 with a cipher of this century, or anything else.
static int is_legacy(const X509_ALGOR *algorithm) {
  int cipher = NID_undef;
  if (OBJ_obj2nid(algorithm->algorithm) != NID_pbes2)
    return 1;
  PBE2PARAM *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
  if (parameters != NULL)
    cipher = OBJ_obj2nid(parameters->encryption->algorithm);
  PBE2PARAM_free(parameters);
  return cipher == NID_des_cbc || cipher == NID_des_ede3_cbc || cipher == NID_rc2_cbc || cipher == NID_rc4;
}

static int64_t number(const ASN1_INTEGER *integer) {
  int64_t value = 0;
  if (integer != NULL && !ASN1_INTEGER_get_int64(&value, integer))
    return INT64_MAX;
  return value < 0 ? INT64_MAX : value;
}

static int64_t product(int64_t a, int64_t b) { return a != 0 && b > INT64_MAX / a ? INT64_MAX : a * b; }

// The rounds of a key derivation function of PBES2.
static int64_t derivation_rounds(const X509_ALGOR *function) {
  int64_t rounds = 0;
  if (OBJ_obj2nid(function->algorithm) == NID_id_pbkdf2) {
    PBKDF2PARAM *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), function->parameter);
    if (parameters != NULL)
      rounds = number(parameters->iter);
    PBKDF2PARAM_free(parameters);
  } else if (OBJ_obj2nid(function->algorithm) == NID_id_scrypt) {
    SCRYPT_PARAMS *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(SCRYPT_PARAMS), function->parameter);
    if (parameters != NULL)
      rounds = product(product(number(parameters->costParameter), number(parameters->blockSize)),
                       number(parameters->parallelizationParameter));
    SCRYPT_PARAMS_free(parameters);
  }
  return rounds;
}

// The rounds that an algorithm asks for; parameters that nobody can read never come to a derivation.
static int64_t rounds_of(const X509_ALGOR *algorithm) {
  int64_t rounds = 0;
  if (OBJ_obj2nid(algorithm->algorithm) == NID_pbes2) {
    PBE2PARAM *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
    if (parameters != NULL)
      rounds = derivation_rounds(parameters->keyfunc);
    PBE2PARAM_free(parameters);
  } else {
    PBEPARAM *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), algorithm->parameter);
    if (parameters != NULL)
      rounds = number(parameters->iter);
    PBEPARAM_free(parameters);
  }
  return rounds;
}

static int spend(cossl_work *work, int64_t rounds) {
  if (rounds > work->limit || rounds > work->rest) {
    work->refused = rounds;
    return 0;
  }
  work->rest -= rounds;
  return 1;
}

int cossl_spend_mac(cossl_work *work, const PKCS12 *file) {
  const ASN1_INTEGER *rounds = NULL;
  PKCS12_get0_mac(NULL, NULL, NULL, &rounds, file);
  return spend(work, number(rounds));
}

int cossl_spend(cossl_work *work, const X509_ALGOR *algorithm) {
  if (is_legacy(algorithm))
    work->is_legacy = 1;
  return spend(work, rounds_of(algorithm));
}

// Adds copies of bags, and of the bags inside bags, to a list.
static int flatten(const STACK_OF(PKCS12_SAFEBAG) *bags, STACK_OF(PKCS12_SAFEBAG) *list, int depth) {
  for (int i = 0; i < sk_PKCS12_SAFEBAG_num(bags); i++) {
    PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(bags, i);
    if (PKCS12_SAFEBAG_get_nid(bag) == NID_safeContentsBag) {
      if (depth == 0 || !flatten(PKCS12_SAFEBAG_get0_safes(bag), list, depth - 1))
        return 0;
      continue;
    }
    PKCS12_SAFEBAG *copy = ASN1_item_dup(ASN1_ITEM_rptr(PKCS12_SAFEBAG), bag);
    if (copy == NULL || !sk_PKCS12_SAFEBAG_push(list, copy)) {
      PKCS12_SAFEBAG_free(copy);
      return 0;
    }
  }
  return 1;
}

STACK_OF(PKCS12_SAFEBAG) *cossl_bags_open(const PKCS12 *file, const char *password, int length, cossl_work *work) {
  STACK_OF(PKCS12_SAFEBAG) *list = sk_PKCS12_SAFEBAG_new_null();
  STACK_OF(PKCS7) *safes = PKCS12_unpack_authsafes(file);
  int succeeded = list != NULL && safes != NULL;
  for (int i = 0; succeeded && i < sk_PKCS7_num(safes); i++) {
    PKCS7 *safe = sk_PKCS7_value(safes, i);
    STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
    if (PKCS7_type_is_data(safe)) {
      bags = PKCS12_unpack_p7data(safe);
    } else if (PKCS7_type_is_encrypted(safe) && safe->d.encrypted != NULL) {
      if (cossl_spend(work, safe->d.encrypted->enc_data->algorithm))
        bags = PKCS12_unpack_p7encdata(safe, password, length);
    } else {
      continue; // Enveloped for a certificate's key: no password opens it.
    }
    succeeded = bags != NULL && flatten(bags, list, 8);
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
  }
  sk_PKCS7_pop_free(safes, PKCS7_free);
  if (succeeded)
    return list;
  sk_PKCS12_SAFEBAG_pop_free(list, PKCS12_SAFEBAG_free);
  return NULL;
}

// The name and the identifier that tie a key to its certificate, and into the list with it.
static int add(STACK_OF(PKCS12_SAFEBAG) *bags, PKCS12_SAFEBAG *bag, const char *name, const unsigned char *identifier,
               int length) {
  if (bag != NULL && (name == NULL || PKCS12_add_friendlyname_utf8(bag, name, -1)) &&
      (length == 0 || PKCS12_add_localkeyid(bag, (unsigned char *)identifier, length)) &&
      sk_PKCS12_SAFEBAG_push(bags, bag))
    return 1;
  PKCS12_SAFEBAG_free(bag);
  return 0;
}

int cossl_bags_add_certificate(STACK_OF(PKCS12_SAFEBAG) *bags, const unsigned char *der, long der_length,
                               const char *name, const unsigned char *identifier, int identifier_length,
                               int is_anchor) {
  // As a value of any type, whose bytes are kept, rather than as a certificate, which would be encoded again.
  ASN1_TYPE *value = d2i_ASN1_TYPE(NULL, &der, der_length);
  if (value == NULL)
    return 0;
  PKCS12_SAFEBAG *bag =
      PKCS12_item_pack_safebag(value, ASN1_ITEM_rptr(ASN1_ANY), NID_x509Certificate, NID_certBag);
  ASN1_TYPE_free(value);
  // Java takes a certificate without a key for an anchor only if it has Oracle's attribute trustedKeyUsage.
  if (bag != NULL && is_anchor &&
      !PKCS12_add1_attr_by_txt(bag, "2.16.840.1.113894.746875.1.1", V_ASN1_OBJECT,
                               (const unsigned char *)OBJ_nid2obj(NID_anyExtendedKeyUsage), -1)) {
    PKCS12_SAFEBAG_free(bag);
    return 0;
  }
  return add(bags, bag, name, identifier, identifier_length);
}

enum { iterations = 100000 };

int cossl_bags_add_key(STACK_OF(PKCS12_SAFEBAG) *bags, PKCS8_PRIV_KEY_INFO *key, const char *password, int length,
                       const char *name, const unsigned char *identifier, int identifier_length) {
  PKCS12_SAFEBAG *bag =
      PKCS12_SAFEBAG_create_pkcs8_encrypt(NID_aes_256_cbc, password, length, NULL, 0, iterations, key);
  return add(bags, bag, name, identifier, identifier_length);
}

PKCS12 *cossl_pkcs12_seal(STACK_OF(PKCS12_SAFEBAG) *certificates, STACK_OF(PKCS12_SAFEBAG) *keys,
                          const char *password, int length) {
  PKCS12 *file = NULL;
  STACK_OF(PKCS7) *safes = sk_PKCS7_new_null();
  PKCS7 *safe = NULL;
  if (safes == NULL)
    return NULL;
  if (sk_PKCS12_SAFEBAG_num(certificates) > 0) {
    safe = PKCS12_pack_p7encdata(NID_aes_256_cbc, password, length, NULL, 0, iterations, certificates);
    if (safe == NULL || !sk_PKCS7_push(safes, safe))
      goto failed;
  }
  // The keys are encrypted one by one already.
  if (sk_PKCS12_SAFEBAG_num(keys) > 0) {
    safe = PKCS12_pack_p7data(keys);
    if (safe == NULL || !sk_PKCS7_push(safes, safe))
      goto failed;
  }
  safe = NULL;
  file = PKCS12_add_safes(safes, 0);
  if (file != NULL && !PKCS12_set_mac(file, password, length, NULL, 0, iterations, EVP_sha256())) {
    PKCS12_free(file);
    file = NULL;
  }
failed:
  PKCS7_free(safe);
  sk_PKCS7_pop_free(safes, PKCS7_free);
  return file;
}
#endif
