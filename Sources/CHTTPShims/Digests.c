// SPDX-License-Identifier: Apache-2.0
#include "CHTTPShims.h"
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

size_t chttp_digest(const char *name, const unsigned char *bytes, size_t length, unsigned char *out) {
  unsigned char value[EVP_MAX_MD_SIZE];
  size_t written = 0;
  if (!EVP_Q_digest(NULL, name, NULL, bytes, length, value, &written) || written > CHTTP_MAX_DIGEST) return 0;
  for (size_t index = 0; index < written; index++) out[index] = value[index];
  return written;
}

size_t chttp_hmac(
  const char *name, const unsigned char *key, size_t key_length, const unsigned char *bytes, size_t length,
  unsigned char *out) {
  unsigned char value[EVP_MAX_MD_SIZE];
  unsigned int written = 0;
  const EVP_MD *digest = EVP_get_digestbyname(name);
  static const unsigned char empty[1] = {0};
  if (!digest || key_length > INT_MAX) return 0;
  if (!HMAC(digest, key ? key : empty, (int)key_length, bytes, length, value, &written)) return 0;
  if (written > CHTTP_MAX_DIGEST) return 0;
  for (unsigned int index = 0; index < written; index++) out[index] = value[index];
  return written;
}
