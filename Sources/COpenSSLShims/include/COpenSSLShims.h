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
#endif
