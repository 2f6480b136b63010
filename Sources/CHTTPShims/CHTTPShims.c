// SPDX-License-Identifier: Apache-2.0
#include "CHTTPShims.h"
#include "Internal.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t starting = PTHREAD_ONCE_INIT;
static int works;
static struct chttp_callbacks installed;
const struct chttp_callbacks *chttp_callbacks_in_use = &installed;

// 7.85.0 has the textual list of protocols, 7.80.0 the callback before the request.
static void start(void) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return;
  const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
  works = version->version_num >= 0x075500 && version->ssl_version && strstr(version->ssl_version, "OpenSSL") != NULL;
}

int chttp_start(const struct chttp_callbacks *callbacks) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!installed.judge) installed = *callbacks;
  pthread_mutex_unlock(&lock);
  pthread_once(&starting, start);
  return works;
}

static size_t receive_head(char *bytes, size_t size, size_t count, void *user) {
  return installed.head(user, bytes, size * count);
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *user) {
  return installed.body(user, bytes, size * count);
}

static size_t send_body(char *bytes, size_t size, size_t count, void *user) {
  return installed.read(user, bytes, size * count);
}

static int seek_body(void *user, curl_off_t offset, int origin) {
  return origin == SEEK_SET && installed.seek(user, offset) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

static int before_request(void *user, char *peer, char *local, int peer_port, int local_port) {
  (void)peer, (void)local, (void)peer_port, (void)local_port;
  return installed.before_request(user) == 1 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

#define SET(option, value) \
  if ((code = curl_easy_setopt(handle, option, value)) != CURLE_OK) return code

CURLcode chttp_set_callbacks(CURL *handle, void *user, uintptr_t number, int judges) {
  CURLcode code;
  SET(CURLOPT_PRIVATE, user);
  SET(CURLOPT_HEADERFUNCTION, receive_head);
  SET(CURLOPT_HEADERDATA, user);
  SET(CURLOPT_WRITEFUNCTION, receive_body);
  SET(CURLOPT_WRITEDATA, user);
  SET(CURLOPT_READFUNCTION, send_body);
  SET(CURLOPT_READDATA, user);
  SET(CURLOPT_SEEKFUNCTION, seek_body);
  SET(CURLOPT_SEEKDATA, user);
  SET(CURLOPT_PREREQFUNCTION, before_request);
  SET(CURLOPT_PREREQDATA, user);
  if (!judges) return CURLE_OK;
  SET(CURLOPT_SSL_CTX_FUNCTION, chttp_prepare_context);
  SET(CURLOPT_SSL_CTX_DATA, (void *)number);
  // The library's own look at the chain is replaced, not added: it would know neither anchors nor pins.
  SET(CURLOPT_SSL_VERIFYPEER, 0L);
  SET(CURLOPT_SSL_VERIFYHOST, 0L);
  SET(CURLOPT_SSL_SESSIONID_CACHE, 0L);
  return CURLE_OK;
}

CURLcode chttp_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }

CURLcode chttp_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode chttp_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode chttp_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode chttp_set_buffer(CURL *handle, char *value) { return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, value); }

CURLMcode chttp_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

char *chttp_url_part(CURLU *url, CURLUPart part, unsigned int flags) {
  char *value = NULL;
  return curl_url_get(url, part, &value, flags) == CURLUE_OK ? value : NULL;
}

CURL *chttp_finished(CURLM *multi, CURLcode *result) {
  CURLMsg *message;
  int rest = 0;
  while ((message = curl_multi_info_read(multi, &rest))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
