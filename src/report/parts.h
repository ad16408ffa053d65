/* A class that is graded in parts, and which of them some results hold. */
#ifndef ATTN_REPORT_PARTS_H
#define ATTN_REPORT_PARTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { PARTS_MAX = 100000 };

struct parts {
    unsigned n;    /* that the class was divided into; 0: it was not */
    bool *is_here; /* [n], NULL: none */
};

void parts_release(struct parts *parts);
/* Part `number` (from 1) of n. ERR_MEMORY. */
bool parts_set(unsigned number, unsigned n, struct parts *ret, struct error *reterr);
/* Adds those of `from`. ERR_RANGE when both are of classes that were divided otherwise. */
bool parts_add(struct parts *parts, const struct parts *from, struct error *reterr);
/* All are here, or there are none. */
bool parts_are_whole(const struct parts *parts);
/* How many are not here; adds the numbers of the first ones to *text, separated by ", ". */
unsigned parts_lacking(const struct parts *parts, struct text *text);

/* A number that hangs on the name alone, on any machine. */
uint64_t name_hash(const char *name);
/* The part, from 1 to n, of who or what is called so. It hangs on the name alone: who hands in
 * while the parts are graded changes nobody else's. */
unsigned part_of(const char *name, unsigned n);

/* "parts" of the json format. A new reference; NULL without memory. */
json_t *parts_to_json(const struct parts *parts);
/* ERR_FILE when it is no such object. */
bool parts_from_json(const json_t *json, struct parts *ret, struct error *reterr);

#endif
