/* Counts over the results of a class. */
#ifndef ATTN_REPORT_CLASS_TALLY_INTERNAL_H
#define ATTN_REPORT_CLASS_TALLY_INTERNAL_H

#include "report/class_sheet_internal.h"

/* How often something occurred. Borrows its words from the results. */
struct class_tally {
    const char *name, *exercise, *say;
    size_t n;
};

struct class_tallies {
    struct class_tally *items; /* the most frequent first, then by name */
    size_t n, capacity;
};

/* The misconceptions in the results that count, by exercise. ERR_MEMORY. */
bool class_tally_ideas(const struct results *results, struct class_tallies *ret,
                       struct error *reterr);
/* The verdicts of the results that count, with their sentences. ERR_MEMORY. */
bool class_tally_verdicts(const struct results *results, struct class_tallies *ret,
                          struct error *reterr);
/* The cases of a column's exercise in which something was wrong. ERR_MEMORY. */
bool class_tally_failed_cases(const struct class_sheet *sheet, size_t column,
                              struct class_tallies *ret, struct error *reterr);
void class_tallies_release(struct class_tallies *tallies);

/* The time that a result took, in ms: processor time if it is known, as that does not depend on the
 * machine's other work. */
double class_cost_ms(const struct result *result);
/* The up to n_wanted results that took longest, longest first. Returns their number. */
size_t class_slowest(const struct results *results, const struct result **ret, size_t n_wanted);

#endif
