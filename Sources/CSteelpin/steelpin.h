/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libsteelpin: will a client that trusts these things accept this server, and why?
 *
 * Judges a chain of certificates for a host under a policy, by OpenSSL and GnuTLS, and gives the verdict as JSON: the
 * same verdict as `steelpin verify --json` gives. docs/c.md has examples in C and Python, docs/policy.md the keys of
 * policies, docs/json.md the JSON.
 *
 * Threads: no function has state of its own. One evaluator may be used by any number of threads at once, and is best
 * shared: what it proves for one it need not prove again for another.
 *
 * Memory: nothing that is passed in is kept. A report is a string that ends with a NUL; free it with steelpin_free.
 *
 * Mistakes: a NULL where there must be none, a length or count beyond all reason, text that is not UTF-8 and JSON that
 * is not understood give a status and a report that says what is wrong; nothing is trusted then. Only pointers that
 * point nowhere cannot be found out.
 */
#ifndef STEELPIN_H
#define STEELPIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these functions; it grows when one of them changes so that callers have to be compiled anew. */
#define STEELPIN_ABI_VERSION 1

/* What the functions return: the exit statuses of the command. Only STEELPIN_TRUSTED says that the server may be
 * trusted; everything below 64 is a verdict, everything else is none. */
enum {
  /* Every library trusts the chain, and the pins, if there are any, are met. */
  STEELPIN_TRUSTED = 0,
  /* The chain is trusted, but no configured pin is on its path. */
  STEELPIN_PIN_MISMATCH = 10,
  /* The chain is not trusted. */
  STEELPIN_UNTRUSTED = 11,
  /* The libraries disagree. */
  STEELPIN_DISAGREEMENT = 13,
  /* An argument is wrong. */
  STEELPIN_USAGE = 64,
  /* A library that the options name is not in this build. */
  STEELPIN_BACKEND_UNAVAILABLE = 69,
  /* A library failed. */
  STEELPIN_INTERNAL = 70,
  /* The policy or the options are wrong. */
  STEELPIN_CONFIGURATION = 78
};

/* A policy, ready to judge. */
typedef struct steelpin_evaluator steelpin_evaluator;

/* STEELPIN_ABI_VERSION of the library that is loaded. */
int steelpin_abi_version(void);

/* The version of Steelpin, as in "0.1.0". Not to be freed. */
const char *steelpin_version(void);

/*
 * Makes an evaluator of a policy, to be freed with steelpin_evaluator_free.
 *
 * policy   a policy object in JSON (docs/policy.md), in UTF-8; comments are allowed. It names no files.
 * options  NULL, or an object in JSON with any of these keys:
 *            "backend"        "openssl", "gnutls" or "both"; without it all libraries of the build judge
 *            "systemAnchors"  what "system" means in the policy: certificates as in the policy's anchors; without it
 *                             the anchors of this system, or those that SSL_CERT_FILE and SSL_CERT_DIR name
 *            "evidence"       revocation lists and OCSP responses, each PEM or base64 of its DER
 * report   NULL, or where the report goes if something is wrong; NULL is put there if all is well
 *
 * Returns 0, or STEELPIN_USAGE, STEELPIN_BACKEND_UNAVAILABLE or STEELPIN_CONFIGURATION, and then *evaluator is NULL.
 */
int steelpin_evaluator_new(const char *policy, size_t policy_length, const char *options, size_t options_length,
                           steelpin_evaluator **evaluator, char **report);

/* Frees an evaluator that no thread uses any more; NULL is passed over. */
void steelpin_evaluator_free(steelpin_evaluator *evaluator);

/*
 * Judges a chain as a server sent it.
 *
 * certificates, lengths, count   the DER of each certificate, the leaf first
 * host                           the host that was to be reached, in UTF-8; NULL if there is none
 * time                           seconds since 1970 at which the chain is judged if the policy names no time; NULL is now
 * staple, staple_length          the OCSP response that the server stapled; NULL if it is not known whether there was
 *                                one, a length of 0 if it is known that there was none
 * report                         NULL, or where the report goes: the verdict of every library, or what is wrong
 *
 * Returns one of the statuses above; only STEELPIN_TRUSTED, which is 0, is good.
 */
int steelpin_evaluate(const steelpin_evaluator *evaluator, const unsigned char *const *certificates,
                      const size_t *lengths, size_t count, const char *host, const int64_t *time,
                      const unsigned char *staple, size_t staple_length, char **report);

/* Frees a report; NULL is passed over. */
void steelpin_free(char *report);

#ifdef __cplusplus
}
#endif

#endif
