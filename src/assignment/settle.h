/* What counts in the end: an assignment's points, lateness, points set by hand, and what is
 * missing.
 *
 * Settling begins each time with what the judge gave, so it can be done again with other rules. */
#ifndef ATTN_ASSIGNMENT_SETTLE_H
#define ATTN_ASSIGNMENT_SETTLE_H

#include "assignment/assignment.h"
#include "report/result.h"

/* ---- points ---- */

/* From what the judge found to the points of an assignment. */

/* The points of a result, before any are taken off for lateness: all for a pass; for wrong numbers
 * and for what is too slow those of its groups, each in the share of its cases that earn something;
 * 0 for any other verdict. Rounded down to hundredths. */
double assignment_points(const struct assignment_exercise *exercise, const struct result *result);

/* Days that a work is late, 0 when it is in time. A day that has begun counts. */
unsigned late_days(const struct assignment *assignment, int64_t submitted_s);

/* What is left of points after so many days. */
double late_points(const struct late_rule *rule, unsigned days, double points);

/* Points that a person gave. */
struct override {
    char *student, *exercise; /* as results name them */
    double points;
    char *reason; /* "" when none was given */
};

/* By student, then by exercise; for qsort() and bsearch(). */
int override_compare(const void *a, const void *b);

struct overrides {
    struct override *items; /* in the order of override_compare(), each work once */
    size_t n, capacity;
};

struct settling {
    const struct assignment *assignment; /* NULL: the exercises' own points, no dates */
    const struct students *roster;       /* NULL: those who handed in */
    const struct overrides *overrides;   /* or NULL */
    bool is_complete;                    /* all work is graded: what is not there is missing */
};

/* Calls students as the class list does, where it knows who is meant (see class_index_find()): for
 * results that were made without it. None of them is borrowed. ERR_MEMORY. */
bool results_call_by(struct results *results, const struct students *roster, struct error *reterr);

/* Sets the points of all results, marks duplicates, and adds a result "missing" for each exercise
 * of the assignment (or, without one, each that anybody handed in) of which a student has none.
 * With neither a roster nor an assignment nothing is missing. results->students becomes the roster.
 * ERR_MEMORY. */
bool results_settle(struct results *results, const struct settling *settling, struct error *reterr);

#endif
