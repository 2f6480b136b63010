// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import from OpenSSL: function-like macros and callbacks. Every function is prefixed cossl_.
// Swift reads this header without the trait's macro, so declarations ask for the library's header; definitions are in
// the .c file, under the macro.
#pragma once
#if __has_include(<openssl/ssl.h>)
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdint.h>

// A library context for decoding certificates and public keys and for checking signatures, made once for the process;
// NULL, the default context, where the default provider is not in use.
OSSL_LIB_CTX *cossl_verification_context(void);

// A stack of certificates, borrowed: the stack owns none of them.
STACK_OF(X509) *cossl_x509_stack_new(void);
int cossl_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate);
int cossl_x509_stack_count(const STACK_OF(X509) *stack);
X509 *cossl_x509_stack_value(const STACK_OF(X509) *stack, int index);
void cossl_x509_stack_free(STACK_OF(X509) *stack);

// Whether a signature over a DER value was made by a key: 1 it was, 0 it was not, -1 the algorithm is unknown or does
// not fit the key. The algorithm is the DER of an AlgorithmIdentifier.
int cossl_verify(EVP_PKEY *key, const unsigned char *algorithm, size_t algorithm_length,
                 const unsigned char *message, size_t message_length,
                 const unsigned char *signature, size_t signature_length);

// A library context of its own with the provider of RC2, RC4 and DES, made once; NULL where that is not installed.
OSSL_LIB_CTX *cossl_legacy_context(void);

// A list of PKCS#12 bags that owns them.
STACK_OF(PKCS12_SAFEBAG) *cossl_bags_new(void);
int cossl_bags_count(const STACK_OF(PKCS12_SAFEBAG) *bags);
PKCS12_SAFEBAG *cossl_bags_at(const STACK_OF(PKCS12_SAFEBAG) *bags, int index);
void cossl_bags_free(STACK_OF(PKCS12_SAFEBAG) *bags);

// What the encryption of a file asks for: whether any of it is not PBES2, or PBES2 with a cipher of the last century;
// the most rounds of key derivation for one key, those that are left for the file, and those that were refused.
typedef struct {
  int is_legacy;
  int64_t limit, rest, refused;
} cossl_work;

// Takes the rounds of a file's MAC, or of an encryption, from those that are left: 1, or 0 if they are too many.
int cossl_spend_mac(cossl_work *work, const PKCS12 *file);
int cossl_spend(cossl_work *work, const X509_ALGOR *algorithm);

// All bags of a file, decrypted, in their order; NULL if one cannot be. The caller owns the list.
STACK_OF(PKCS12_SAFEBAG) *cossl_bags_open(const PKCS12 *file, const char *password, int length, cossl_work *work);

// Adds a certificate by its DER, or a key, encrypted with AES-256; a name that is NULL and an identifier of no length
// are left out. An anchor is marked as one for Java. 1 or 0. Nothing is taken.
int cossl_bags_add_certificate(STACK_OF(PKCS12_SAFEBAG) *bags, const unsigned char *der, long der_length,
                               const char *name, const unsigned char *identifier, int identifier_length,
                               int is_anchor);
int cossl_bags_add_key(STACK_OF(PKCS12_SAFEBAG) *bags, PKCS8_PRIV_KEY_INFO *key, const char *password, int length,
                       const char *name, const unsigned char *identifier, int identifier_length);

// A file of both lists, the certificates encrypted with AES-256, with an HMAC of SHA-256; NULL if it fails. Nothing is
// taken.
PKCS12 *cossl_pkcs12_seal(STACK_OF(PKCS12_SAFEBAG) *certificates, STACK_OF(PKCS12_SAFEBAG) *keys,
                          const char *password, int length);
#endif
