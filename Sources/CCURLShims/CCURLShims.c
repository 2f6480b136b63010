// SPDX-License-Identifier: Apache-2.0
#define CURL_DISABLE_TYPECHECK
#include "CCURLShims.h"
#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

// The functions that are used, under their own names without the prefix.
static struct {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_setopt) *easy_setopt;
  __typeof__(curl_easy_perform) *easy_perform;
  __typeof__(curl_easy_getinfo) *easy_getinfo;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  __typeof__(curl_easy_strerror) *easy_strerror;
  __typeof__(curl_slist_append) *slist_append;
  __typeof__(curl_slist_free_all) *slist_free_all;
} curl;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name) \
  if (!(curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name))) return;
  FIND(global_init)
  FIND(easy_init)
  FIND(easy_setopt)
  FIND(easy_perform)
  FIND(easy_getinfo)
  FIND(easy_cleanup)
  FIND(easy_strerror)
  FIND(slist_append)
  FIND(slist_free_all)
#undef FIND
  is_loaded = curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

struct sink {
  struct ccurl_answer *answer;
  size_t limit;
  int is_too_long;
};

static size_t receive(char *bytes, size_t size, size_t count, void *user) {
  struct sink *sink = user;
  size_t length = size * count;
  if (length > sink->limit - sink->answer->length) {
    sink->is_too_long = 1;
    return 0;
  }
  if (length == 0) return 0;
  unsigned char *body = realloc(sink->answer->body, sink->answer->length + length);
  if (!body) return 0;
  memcpy(body + sink->answer->length, bytes, length);
  sink->answer->body = body;
  sink->answer->length += length;
  return length;
}

static void configure(CURL *handle, const struct ccurl_request *request, struct sink *sink, char *error) {
  curl.easy_setopt(handle, CURLOPT_ERRORBUFFER, error);
  curl.easy_setopt(handle, CURLOPT_URL, request->url);
  curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl.easy_setopt(handle, CURLOPT_USERAGENT, "steelpin");
  curl.easy_setopt(handle, CURLOPT_TIMEOUT_MS, request->timeout);
  curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
  curl.easy_setopt(handle, CURLOPT_WRITEDATA, sink);
  curl.easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  // A redirect may turn to https, but never away from it.
  long kept = strncasecmp(request->url, "https:", 6) == 0 ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS;
  curl.easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, kept);
  curl.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, (long)(request->redirects > 0));
  curl.easy_setopt(handle, CURLOPT_MAXREDIRS, request->redirects);
}

int ccurl_fetch(const struct ccurl_request *request, struct ccurl_answer *answer) {
  memset(answer, 0, sizeof *answer);
  pthread_once(&loading, load);
  if (!is_loaded) {
    snprintf(answer->error, sizeof answer->error, "%s could not be loaded; install libcurl4", LIBRARY);
    return 0;
  }
  struct sink sink = {answer, request->limit, 0};
  char error[CURL_ERROR_SIZE] = "";
  CURL *handle = curl.easy_init();
  if (!handle) {
    snprintf(answer->error, sizeof answer->error, "libcurl made no handle");
    return 0;
  }
  configure(handle, request, &sink, error);
  struct curl_slist *headers = NULL;
  if (request->body) {
    char line[128];
    snprintf(line, sizeof line, "Content-Type: %s", request->content_type ? request->content_type : "");
    headers = curl.slist_append(NULL, line);
    curl.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE, (long)request->body_length);
    curl.easy_setopt(handle, CURLOPT_POSTFIELDS, (const char *)request->body);
  }
  CURLcode code = curl.easy_perform(handle);
  curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
  if (sink.is_too_long) {
    snprintf(answer->error, sizeof answer->error, "the answer is longer than %zu octets", request->limit);
  } else if (code != CURLE_OK) {
    snprintf(answer->error, sizeof answer->error, "%s", error[0] ? error : curl.easy_strerror(code));
  }
  curl.easy_cleanup(handle);
  curl.slist_free_all(headers);
  if (code == CURLE_OK) return 1;
  ccurl_free(answer->body);
  answer->body = NULL;
  answer->length = 0;
  return 0;
}

void ccurl_free(unsigned char *body) { free(body); }
