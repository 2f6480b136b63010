// SPDX-License-Identifier: Apache-2.0
#ifdef STEELPIN_OPENSSL
#include "COpenSSLShims.h"
#include <limits.h>
#include <openssl/err.h>
#include <openssl/objects.h>

STACK_OF(X509) *cossl_x509_stack_new(void) { return sk_X509_new_null(); }
int cossl_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) { return sk_X509_push(stack, certificate); }
int cossl_x509_stack_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
X509 *cossl_x509_stack_value(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
void cossl_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }

// ASN1_item_verify says -1 for a malformed ECDSA signature as for an unknown algorithm, so the difference is looked up.
static int fits(const X509_ALGOR *algorithm, const EVP_PKEY *key) {
  int digest, kind;
  int nid = OBJ_obj2nid(algorithm->algorithm);
  if (nid == NID_undef || !OBJ_find_sigid_algs(nid, &digest, &kind))
    return 0;
  // RSASSA-PSS names no digest, and its signatures are made by either kind of RSA key (RFC 4055 3).
  if (nid == NID_rsassaPss)
    return EVP_PKEY_is_a(key, "RSA") || EVP_PKEY_is_a(key, "RSA-PSS");
  const char *name = OBJ_nid2sn(kind);
  return kind == NID_X9_62_id_ecPublicKey ? EVP_PKEY_is_a(key, "EC")
         : kind == NID_rsaEncryption      ? EVP_PKEY_is_a(key, "RSA")
         : kind == NID_dsa                ? EVP_PKEY_is_a(key, "DSA")
         : name != NULL                   ? EVP_PKEY_is_a(key, name)
                                          : 0;
}

int cossl_verify(EVP_PKEY *key, const unsigned char *algorithm, size_t algorithm_length,
                 const unsigned char *message, size_t message_length,
                 const unsigned char *signature, size_t signature_length) {
  int result = -1;
  ASN1_TYPE *value = NULL;
  ASN1_BIT_STRING *bits = NULL;
  if (algorithm_length > INT_MAX || message_length > INT_MAX || signature_length > INT_MAX)
    return -1;
  const unsigned char *cursor = algorithm;
  X509_ALGOR *parsed = d2i_X509_ALGOR(NULL, &cursor, (long)algorithm_length);
  if (parsed == NULL || !fits(parsed, key))
    goto done;
  cursor = message;
  value = d2i_ASN1_TYPE(NULL, &cursor, (long)message_length);
  bits = ASN1_BIT_STRING_new();
  if (value == NULL || bits == NULL || !ASN1_BIT_STRING_set(bits, (unsigned char *)signature, (int)signature_length))
    goto done;
  // No bit of the last octet is unused.
  bits->flags |= ASN1_STRING_FLAG_BITS_LEFT;
  result = ASN1_item_verify_ex(ASN1_ITEM_rptr(ASN1_ANY), parsed, bits, value, NULL, key,
                               cossl_verification_context(), NULL) == 1;
done:
  ASN1_BIT_STRING_free(bits);
  ASN1_TYPE_free(value);
  X509_ALGOR_free(parsed);
  return result;
}
#endif
