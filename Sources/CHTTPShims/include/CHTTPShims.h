// SPDX-License-Identifier: Apache-2.0
// What the importer cannot see of libcurl (functions of variable arguments, callbacks) and of libssl (macros). libcurl
// must be the flavour that uses OpenSSL (libcurl4-openssl-dev). Every name is prefixed chttp_.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// The certificates that a server sent, leaf first, and what it stapled.
struct chttp_chain {
  const unsigned char *const *der;
  const size_t *lengths;
  size_t count;
  // NULL if there is none.
  const unsigned char *staple;
  size_t staple_length;
  // 0 if the handshake is not far enough for a staple.
  int knows_staple;
};

// What is called about a request; `user` is the pointer that was given with it, `number` the request's.
struct chttp_callbacks {
  size_t (*head)(void *user, const char *bytes, size_t length);
  size_t (*body)(void *user, const char *bytes, size_t length);
  size_t (*read)(void *user, char *bytes, size_t capacity);
  int (*seek)(void *user, long long offset);
  // The last word before a request is sent, on new connections and on those that are used again: 1 goes on.
  int (*before_request)(void *user);
  // Whether the chain of a new connection is trusted. It gets a number and no pointer, as libssl keeps what it gets for
  // as long as the connection lives, which may be longer than the request does. The connection is an SSL *.
  int (*judge)(uintptr_t number, void *connection, const struct chttp_chain *chain);
};

// Makes the library ready, once, with the callbacks of all requests; 1 if it is one that works here.
int chttp_start(const struct chttp_callbacks *callbacks);

// Lets a handle use the callbacks; if `judges`, they decide about chains instead of the library.
CURLcode chttp_set_callbacks(CURL *handle, void *user, uintptr_t number, int judges);
CURLcode chttp_set_long(CURL *handle, CURLoption option, long value);
CURLcode chttp_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode chttp_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode chttp_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
// Where libcurl writes what went wrong, CURL_ERROR_SIZE octets.
CURLcode chttp_set_buffer(CURL *handle, char *value);
CURLMcode chttp_multi_set_long(CURLM *multi, CURLMoption option, long value);

// The URL's part, to be freed by curl_free; NULL if there is none.
char *chttp_url_part(CURLU *url, CURLUPart part, unsigned int flags);

// The easy handle that has ended, and how; NULL if none has.
CURL *chttp_finished(CURLM *multi, CURLcode *result);

// The SSL * of the handle's connection, also if the connection goes through a proxy; NULL if it has none.
void *chttp_connection(CURL *handle);

// Text that stays with a connection; NULL if there is none.
const char *chttp_stamp(void *connection);
// 1 if the text was kept.
int chttp_set_stamp(void *connection, const char *text);

// Calls back with the chain that the server of an established connection sent; 0 if there is none.
int chttp_with_chain(void *connection, int (*body)(void *user, const struct chttp_chain *chain), void *user);

// The octets of the longest digest.
#define CHTTP_MAX_DIGEST 64

// The digest (MD5, SHA-1, SHA2-256, …) of bytes; the octets that were written, 0 if the library has no such digest.
size_t chttp_digest(const char *name, const unsigned char *bytes, size_t length, unsigned char *out);
// The same for an HMAC.
size_t chttp_hmac(
  const char *name, const unsigned char *key, size_t key_length, const unsigned char *bytes, size_t length,
  unsigned char *out);
