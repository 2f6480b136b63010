// SPDX-License-Identifier: Apache-2.0
#ifdef STEELPIN_OPENSSL
#include "COpenSSLShims.h"
#include <limits.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>

struct cossl_pkcs12_builder {
  STACK_OF(PKCS12_SAFEBAG) *certificates;
  STACK_OF(PKCS12_SAFEBAG) *keys;
};

// NIST SP 800-132 wants as many as one can bear; this is what Java writes, tenfold, and takes a twentieth of a second.
enum { iterations = 100000 };

cossl_pkcs12_builder *cossl_pkcs12_builder_new(void) { return OPENSSL_zalloc(sizeof(cossl_pkcs12_builder)); }

void cossl_pkcs12_builder_free(cossl_pkcs12_builder *builder) {
  if (!builder)
    return;
  sk_PKCS12_SAFEBAG_pop_free(builder->certificates, PKCS12_SAFEBAG_free);
  sk_PKCS12_SAFEBAG_pop_free(builder->keys, PKCS12_SAFEBAG_free);
  OPENSSL_free(builder);
}

// Java takes a certificate without a key for an anchor only if it has this attribute, with any purpose as its value.
static int mark_trusted(PKCS12_SAFEBAG *bag) {
  ASN1_OBJECT *purpose = OBJ_nid2obj(NID_anyExtendedKeyUsage);
  ASN1_OBJECT *type = OBJ_txt2obj("2.16.840.1.113894.746875.1.1", 1);
  X509_ATTRIBUTE *attribute = type ? X509_ATTRIBUTE_create_by_OBJ(NULL, type, V_ASN1_OBJECT, purpose, -1) : NULL;
  ASN1_OBJECT_free(type);
  // The bag has a list of attributes since it has a name; it is const for callers that only look.
  STACK_OF(X509_ATTRIBUTE) *attributes = (STACK_OF(X509_ATTRIBUTE) *)PKCS12_SAFEBAG_get0_attrs(bag);
  if (attribute && attributes && sk_X509_ATTRIBUTE_push(attributes, attribute))
    return 1;
  X509_ATTRIBUTE_free(attribute);
  return 0;
}

int cossl_pkcs12_builder_add_certificate(cossl_pkcs12_builder *builder, const unsigned char *der, size_t length,
                                         const char *name) {
  const unsigned char *cursor = der;
  X509 *certificate = length <= INT_MAX ? d2i_X509(NULL, &cursor, (long)length) : NULL;
  if (!certificate)
    return 0;
  PKCS12_SAFEBAG *bag = PKCS12_add_cert(&builder->certificates, certificate);
  X509_free(certificate);
  return bag && PKCS12_add_friendlyname_utf8(bag, name, -1) && mark_trusted(bag);
}

int cossl_pkcs12_builder_add_key(cossl_pkcs12_builder *builder, const unsigned char *pkcs8, size_t length,
                                 const char *password) {
  const unsigned char *cursor = pkcs8;
  PKCS8_PRIV_KEY_INFO *info = length <= INT_MAX ? d2i_PKCS8_PRIV_KEY_INFO(NULL, &cursor, (long)length) : NULL;
  EVP_PKEY *key = info ? EVP_PKCS82PKEY(info) : NULL;
  PKCS8_PRIV_KEY_INFO_free(info);
  int result = key && PKCS12_add_key(&builder->keys, key, 0, iterations, NID_aes_256_cbc, password);
  EVP_PKEY_free(key);
  return result;
}

unsigned char *cossl_pkcs12_builder_seal(cossl_pkcs12_builder *builder, const char *password, size_t *length) {
  STACK_OF(PKCS7) *safes = NULL;
  unsigned char *der = NULL;
  int ok = (!builder->certificates ||
            PKCS12_add_safe(&safes, builder->certificates, NID_aes_256_cbc, iterations, password)) &&
           (!builder->keys || PKCS12_add_safe(&safes, builder->keys, -1, 0, NULL));
  PKCS12 *file = ok && safes ? PKCS12_add_safes(safes, 0) : NULL;
  if (file && PKCS12_set_mac(file, password, -1, NULL, 0, iterations, EVP_sha256())) {
    int count = i2d_PKCS12(file, &der);
    *length = count > 0 ? (size_t)count : 0;
  }
  PKCS12_free(file);
  sk_PKCS7_pop_free(safes, PKCS7_free);
  return der;
}

void cossl_free(void *bytes) { OPENSSL_free(bytes); }
#endif
