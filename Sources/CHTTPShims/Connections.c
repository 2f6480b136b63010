// SPDX-License-Identifier: Apache-2.0
#include "CHTTPShims.h"
#include "Internal.h"
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t reserving = PTHREAD_ONCE_INIT;
static int stamp_index = -1;

static void free_stamp(void *parent, void *stamp, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
  (void)parent, (void)data, (void)index, (void)argl, (void)argp;
  free(stamp);
}

static void reserve(void) { stamp_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, free_stamp); }

const char *chttp_stamp(void *connection) {
  pthread_once(&reserving, reserve);
  return stamp_index < 0 ? NULL : SSL_get_ex_data(connection, stamp_index);
}

int chttp_set_stamp(void *connection, const char *text) {
  pthread_once(&reserving, reserve);
  char *copy = stamp_index < 0 ? NULL : strdup(text);
  if (!copy) return 0;
  free(SSL_get_ex_data(connection, stamp_index));
  if (SSL_set_ex_data(connection, stamp_index, copy)) return 1;
  free(copy);
  return 0;
}

void *chttp_connection(CURL *handle) {
  const struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
  return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

// Calls back with the chain in DER; 0 if memory or a certificate is missing.
static int with_der(
  SSL *connection, STACK_OF(X509) *chain, int knows_staple, int (*body)(void *user, const struct chttp_chain *chain),
  void *user) {
  int count = chain ? sk_X509_num(chain) : 0;
  if (count <= 0) return 0;
  unsigned char **der = calloc((size_t)count, sizeof *der);
  size_t *lengths = calloc((size_t)count, sizeof *lengths);
  int result = 0, made = 0;
  while (der && lengths && made < count) {
    int length = i2d_X509(sk_X509_value(chain, made), &der[made]);
    if (length <= 0) break;
    lengths[made++] = (size_t)length;
  }
  if (made == count) {
    const unsigned char *staple = NULL;
    long staple_length = SSL_get_tlsext_status_ocsp_resp(connection, &staple);
    int has_staple = staple && staple_length > 0;
    struct chttp_chain value = {
      (const unsigned char *const *)der, lengths, (size_t)count, has_staple ? staple : NULL,
      has_staple ? (size_t)staple_length : 0, knows_staple};
    result = body(user, &value);
  }
  for (int index = 0; index < made; index++) OPENSSL_free(der[index]);
  free(der);
  free(lengths);
  return result;
}

int chttp_with_chain(void *connection, int (*body)(void *user, const struct chttp_chain *chain), void *user) {
  return with_der(connection, SSL_get_peer_cert_chain(connection), 1, body, user);
}

struct question {
  uintptr_t number;
  SSL *connection;
};

static int ask(void *user, const struct chttp_chain *chain) {
  struct question *question = user;
  return chttp_callbacks_in_use->judge(question->number, question->connection, chain);
}

// Stands for X509_verify_cert: 1 goes on with the handshake, 0 ends it with an alert.
static int verify(X509_STORE_CTX *store, void *number) {
  SSL *connection = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  struct question question = {(uintptr_t)number, connection};
  // In TLS 1.3 the staple comes with the certificate, before that after it.
  int is_trusted = connection && with_der(
                                   connection, X509_STORE_CTX_get0_untrusted(store),
                                   SSL_version(connection) >= TLS1_3_VERSION, ask, &question) == 1;
  X509_STORE_CTX_set_error(store, is_trusted ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION);
  return is_trusted;
}

CURLcode chttp_prepare_context(CURL *handle, void *ssl_context, void *number) {
  (void)handle;
  SSL_CTX *context = ssl_context;
  // A resumed session is not asked about, so there is none; and a server that renegotiates could show another chain.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_cert_verify_callback(context, verify, number);
  SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
  return CURLE_OK;
}
