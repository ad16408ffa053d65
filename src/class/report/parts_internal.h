/* A class that is graded in parts, and the parts that some results hold. */
#ifndef ATTN_REPORT_PARTS_INTERNAL_H
#define ATTN_REPORT_PARTS_INTERNAL_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { PARTS_MAX = 100000 };

struct parts {
    unsigned n;    /* the number of parts of the class; 0: it was not divided */
    bool *is_here; /* [n], NULL: no part is */
};

void parts_release(struct parts *parts);
/* Part `number` (from 1) of n. ERR_MEMORY. */
bool parts_set(unsigned number, unsigned n, struct parts *ret, struct error *reterr);
/* Adds the parts of `from`. ERR_RANGE when the two classes were divided differently. */
bool parts_add(struct parts *parts, const struct parts *from, struct error *reterr);
/* True if all parts are here, or the class was not divided. */
bool parts_are_whole(const struct parts *parts);
/* The number of missing parts; adds the numbers of the first ones to *text, separated by ", ". */
unsigned parts_lacking(const struct parts *parts, struct text *text);

/* A number that depends only on the name, on any machine. */
uint64_t name_hash(const char *name);
/* The part, from 1 to n, of a student or file of this name. It depends only on the name: somebody
 * who hands in while the parts are graded moves nobody else. */
unsigned part_of(const char *name, unsigned n);

/* "parts" of the json format. A new reference; NULL without memory. */
json_t *parts_to_json(const struct parts *parts);
/* ERR_FILE if it is not such an object. */
bool parts_from_json(const json_t *json, struct parts *ret, struct error *reterr);

#endif
