/* Results without names: each student gets a pseudonym, which only a holder of the key can trace
 * back. */
#ifndef ATTN_REPORT_ANONYMOUS_H
#define ATTN_REPORT_ANONYMOUS_H

#include "report/results.h"

enum { ANONYMOUS_KEY_BYTES = 4096 };

struct anonymous_key {
    char bytes[ANONYMOUS_KEY_BYTES];
    size_t size;
    bool is_new;      /* it was made just now */
    bool is_readable; /* others than its owner may read the file */
};

/* Reads the key from a file of 16 to ANONYMOUS_KEY_BYTES bytes, without blanks at its end. If the
 * file does not exist, makes it: 32 random bytes as digits, readable only by its owner.
 * ERR_FILE. */
bool anonymous_key_load(const char *path, struct anonymous_key *ret, struct error *reterr);

/* Replaces students by pseudonyms, and everything that shows who they are: names, e-mails, ids,
 * names of files, digests of sources, times of handing in, and in a student's messages and notes
 * their own login, name, e-mail, id and file. The order becomes that of the pseudonyms. ERR_MEMORY;
 * nothing has changed then. */
bool results_anonymize(struct results *results, const struct anonymous_key *key,
                       struct error *reterr);

#endif
