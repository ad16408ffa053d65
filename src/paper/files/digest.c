/* SHA-256 by libsodium: see digest.h. */
#include "files/digest.h"

#include <assert.h>
#include <sodium/crypto_auth_hmacsha256.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>

static_assert(DIGEST_TEXT == 2 * crypto_hash_sha256_BYTES + 1, "two digits a byte");

void digest_of(const void *bytes, size_t size, char ret[DIGEST_TEXT])
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, size > 0 ? bytes : (const void *)"", size);
    sodium_bin2hex(ret, DIGEST_TEXT, hash, sizeof hash);
}

void digest_with_key(const void *key, size_t key_size, const void *bytes, size_t size,
                     char ret[DIGEST_TEXT])
{
    unsigned char hash[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key_size > 0 ? key : (const void *)"", key_size);
    crypto_auth_hmacsha256_update(&state, size > 0 ? bytes : (const void *)"", size);
    crypto_auth_hmacsha256_final(&state, hash);
    sodium_bin2hex(ret, DIGEST_TEXT, hash, sizeof hash);
}
