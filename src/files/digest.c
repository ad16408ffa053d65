/* SHA-256 by libsodium: see digest.h. */
#include "files/digest.h"

#include <assert.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>

static_assert(DIGEST_TEXT == 2 * crypto_hash_sha256_BYTES + 1, "two digits a byte");

void digest_of(const void *bytes, size_t size, char ret[DIGEST_TEXT])
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, size > 0 ? bytes : (const void *)"", size);
    sodium_bin2hex(ret, DIGEST_TEXT, hash, sizeof hash);
}
