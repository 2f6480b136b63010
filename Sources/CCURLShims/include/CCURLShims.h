// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded when it is first needed: it brings thirty libraries along, which a program that fetches nothing should
// not load. Its functions take variable arguments, which Swift cannot call. Every name is prefixed ccurl_.
#pragma once
#include <stddef.h>

// What is fetched, and within which bounds.
struct ccurl_request {
  const char *url;
  // The body of a POST; NULL for GET.
  const unsigned char *body;
  size_t body_length;
  // The media type of the body; NULL with GET.
  const char *content_type;
  // Milliseconds for all of it, name resolution and redirects included.
  long timeout;
  // Octets of the answer.
  size_t limit;
  // Redirects that are followed.
  long redirects;
};

// What came back. The body is to be freed by ccurl_free.
struct ccurl_answer {
  unsigned char *body;
  size_t length;
  long status;
  // Why there is no answer, in libcurl's words; empty if there is one.
  char error[256];
};

// 1 if there is an answer with some HTTP status, 0 if not, and then the error says why.
int ccurl_fetch(const struct ccurl_request *request, struct ccurl_answer *answer);
void ccurl_free(unsigned char *body);
