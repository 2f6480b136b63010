/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets a URL with libcurl, whose own verification is replaced by Steelpin's:
 *
 *   pinned-get URL POLICY.json
 *
 * The body goes to standard output. If the server is not trusted, nothing is sent to it, the verdict goes to standard
 * error, and the exit status is Steelpin's. The policy is described in docs/policy.md.
 *
 * libcurl must be the one that uses OpenSSL: cc pinned-get.c $(pkg-config --cflags --libs steelpin libcurl openssl)
 */
#include <curl/curl.h>
#include <openssl/ssl.h>
#include <steelpin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judge {
  const steelpin_evaluator *evaluator;
  /* The host of the URL: what the certificate must be for. */
  const char *host;
  /* The last verdict; STEELPIN_INTERNAL before there was one. */
  int status;
  char *report;
};

/* Judges the certificates as the server sent them. OpenSSL calls this instead of X509_verify_cert, before the handshake
 * is finished. */
static int verify(X509_STORE_CTX *context, void *argument) {
  struct judge *judge = argument;
  STACK_OF(X509) *sent = X509_STORE_CTX_get0_untrusted(context);
  int count = sk_X509_num(sent);
  if (count < 1) return 0;

  unsigned char **certificates = calloc((size_t)count, sizeof *certificates);
  size_t *lengths = calloc((size_t)count, sizeof *lengths);
  int is_copied = certificates != NULL && lengths != NULL;
  for (int i = 0; is_copied && i < count; i++) {
    int length = i2d_X509(sk_X509_value(sent, i), &certificates[i]);
    is_copied = length > 0;
    lengths[i] = is_copied ? (size_t)length : 0;
  }
  if (is_copied) {
    steelpin_free(judge->report);
    judge->status = steelpin_evaluate(judge->evaluator, (const unsigned char *const *)certificates, lengths,
                                      (size_t)count, judge->host, NULL, NULL, 0, &judge->report);
  }
  for (int i = 0; certificates != NULL && i < count; i++) OPENSSL_free(certificates[i]);
  free(certificates);
  free(lengths);

  int is_trusted = is_copied && judge->status == STEELPIN_TRUSTED;
  X509_STORE_CTX_set_error(context, is_trusted ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION);
  return is_trusted;
}

/* libcurl calls this for every new connection. */
static CURLcode prepare(CURL *curl, void *ssl_context, void *judge) {
  (void)curl;
  SSL_CTX_set_cert_verify_callback(ssl_context, verify, judge);
  return CURLE_OK;
}

/* The whole of a file, to be freed. */
static char *contents(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = file == NULL ? NULL : malloc(1 << 20);
  *length = text == NULL ? 0 : fread(text, 1, 1 << 20, file);
  if (file != NULL) fclose(file);
  return text;
}

/* The host of a URL without the brackets of an IPv6 address, to be freed; NULL if there is none. */
static char *host_of(const char *url) {
  CURLU *parts = curl_url();
  char *found = NULL, *host = NULL;
  if (curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
      curl_url_get(parts, CURLUPART_HOST, &found, 0) == CURLUE_OK) {
    size_t length = strlen(found);
    int has_brackets = length > 2 && found[0] == '[';
    host = has_brackets ? strndup(found + 1, length - 2) : strdup(found);
  }
  curl_free(found);
  curl_url_cleanup(parts);
  return host;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: pinned-get URL POLICY.json\n");
    return STEELPIN_USAGE;
  }
  if (steelpin_abi_version() != STEELPIN_ABI_VERSION) {
    fprintf(stderr, "libsteelpin is of another version than the header\n");
    return STEELPIN_INTERNAL;
  }
  size_t length;
  char *policy = contents(argv[2], &length), *report = NULL;
  steelpin_evaluator *evaluator = NULL;
  int status = steelpin_evaluator_new(policy, length, NULL, 0, &evaluator, &report);
  free(policy);
  if (status != 0) {
    fprintf(stderr, "%s\n", report == NULL ? "no memory" : report);
    steelpin_free(report);
    return status;
  }

  char *host = host_of(argv[1]);
  struct judge judge = {.evaluator = evaluator, .host = host, .status = STEELPIN_INTERNAL, .report = NULL};
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, argv[1]);
  /* Nothing but https, so that nothing goes out unjudged. */
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
  curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, prepare);
  curl_easy_setopt(curl, CURLOPT_SSL_CTX_DATA, &judge);
  /* VERIFYPEER makes OpenSSL ask the callback; the host is Steelpin's to compare. */
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 30L);
  CURLcode result = curl_easy_perform(curl);
  if (result != CURLE_OK) {
    fprintf(stderr, "%s\n%s", curl_easy_strerror(result), judge.report == NULL ? "" : judge.report);
    status = judge.status == STEELPIN_TRUSTED ? STEELPIN_INTERNAL : judge.status;
  }
  curl_easy_cleanup(curl);
  steelpin_free(judge.report);
  steelpin_evaluator_free(evaluator);
  free(host);
  return status;
}
