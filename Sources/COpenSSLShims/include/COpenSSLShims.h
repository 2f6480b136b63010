// SPDX-License-Identifier: Apache-2.0
// What Swift cannot import from OpenSSL: function-like macros and callbacks. Every function is prefixed cossl_.
// Swift reads this header without the trait's macro, so declarations ask for the library's header; definitions are in
// the .c file, under the macro.
#pragma once
#if __has_include(<openssl/ssl.h>)
#include <openssl/ssl.h>
#include <openssl/x509.h>

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

// Takes one DER value out of a PKCS#12 file: a certificate, or a private key as PKCS#8. The bytes are lent.
typedef void (*cossl_pkcs12_item)(void *user, int is_key, const unsigned char *der, size_t length);

// Opens a PKCS#12 file and hands out what it holds, in its order: 1 it was opened, 0 it is malformed, -1 the password
// does not fit. Says whether anything but AES protects it. Old algorithms are allowed here and nowhere else.
int cossl_pkcs12_open(const unsigned char *der, size_t length, const char *password, cossl_pkcs12_item emit,
                      void *user, int *legacy);

// A PKCS#12 file in the making; owned by the caller until it is freed.
typedef struct cossl_pkcs12_builder cossl_pkcs12_builder;
cossl_pkcs12_builder *cossl_pkcs12_builder_new(void);
void cossl_pkcs12_builder_free(cossl_pkcs12_builder *builder);
int cossl_pkcs12_builder_add_certificate(cossl_pkcs12_builder *builder, const unsigned char *der, size_t length,
                                         const char *name);
int cossl_pkcs12_builder_add_key(cossl_pkcs12_builder *builder, const unsigned char *pkcs8, size_t length,
                                 const char *password);

// The file, to be freed with cossl_free; NULL if that failed. AES-256-CBC, PBKDF2, HMAC-SHA-256.
unsigned char *cossl_pkcs12_builder_seal(cossl_pkcs12_builder *builder, const char *password, size_t *length);
void cossl_free(void *bytes);
#endif
