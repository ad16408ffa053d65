/* Digests: a few bytes that identify many. Nobody can make two contents with the same digest. */
#ifndef ATTN_FILES_DIGEST_H
#define ATTN_FILES_DIGEST_H

#include <stddef.h>

enum { DIGEST_TEXT = 65 }; /* 64 hexadecimal digits and a NUL */

/* SHA-256 (FIPS 180-4) of bytes[0..size), as sha256sum writes it. bytes may be NULL for size 0. */
void digest_of(const void *bytes, size_t size, char ret[DIGEST_TEXT]);
/* HMAC-SHA-256 (RFC 2104) of bytes[0..size): only a holder of the key can compute it. */
void digest_with_key(const void *key, size_t key_size, const void *bytes, size_t size,
                     char ret[DIGEST_TEXT]);

#endif
