/* What a school's system writes beside the folders of a download about who handed in, and when:
 * Gradescope's submission_metadata.yml. */
#ifndef ATTN_ASSIGNMENT_SYSTEM_RECORDS_H
#define ATTN_ASSIGNMENT_SYSTEM_RECORDS_H

#include "base/arena.h"
#include "base/error.h"
#include "result/result.h"

#define SYSTEM_RECORDS_FILE "submission_metadata.yml"

struct system_record {
    struct caller
        caller;          /* folder: "submission_100"; of several who handed in together the first */
    int64_t submitted_s; /* seconds since 1970 UTC; 0: unknown */
};

struct system_records {
    struct system_record *items;
    size_t n, capacity;
    struct arena arena; /* of the words */
};

/* Adds the records of the file, or of its bytes; path is for messages. ERR_FILE, ERR_SYNTAX,
 * ERR_MEMORY. */
bool system_records_load(const char *path, struct system_records *ret, struct error *reterr);
bool system_records_read(const char *path, const char *bytes, size_t size,
                         struct system_records *ret, struct error *reterr);
/* NULL if no record names this folder. */
const struct system_record *system_records_find(const struct system_records *records,
                                                const char *folder);
void system_records_release(struct system_records *records); /* may be all zero bytes */

#endif
