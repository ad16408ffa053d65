/* The final points: an assignment's points, lateness, points set by hand, and missing work.
 *
 * Settling always begins with the judge's points, so it can be done again with other rules. */
#ifndef ATTN_ASSIGNMENT_SETTLE_INTERNAL_H
#define ATTN_ASSIGNMENT_SETTLE_INTERNAL_H

#include "assignment/assignment.h"
#include "assignment/class_index.h"
#include "report/results.h"

/* ---- points ---- */

/* From the judge's findings to the points of an assignment. */

/* The points of a result, before any are taken off for lateness: all for a pass; for wrong numbers
 * and for programs that are too slow those of its groups, each in proportion to its cases that earn
 * points; 0 for any other verdict. Rounded down to hundredths. */
double assignment_points(const struct assignment_exercise *exercise, const struct result *result);

/* Days that a work is late by this due date (0: no due date), 0 when it is in time. A day that
 * has begun counts. */
unsigned late_days(const struct assignment *assignment, int64_t due_s, int64_t submitted_s);

/* The points that remain after this many days. */
double late_points(const struct late_rule *rule, unsigned days, double points);

/* Points that a person set, or a comment that leaves the points as they are. */
struct override {
    char *student, *exercise; /* as results name them */
    double points;            /* NaN: a comment */
    char *reason;             /* "" without a reason */
    char *rubric;             /* the line of a rubric that a comment is to; "": none */
};

/* By student, then by exercise, a comment after points, and then by the line of the rubric; for
 * qsort(). */
int override_compare(const void *a, const void *b);

struct overrides {
    struct override *items; /* in the order of override_compare(), each work once, and each line of
                             * its rubric */
    size_t n, capacity;
};

/* More time for one student. */
struct extension {
    char *student; /* as results name them */
    int64_t due_s; /* the due date instead of the assignment's; 0: that one */
    double days;   /* and as many more */
    char *reason;  /* "" without a reason */
};

/* By student; for qsort() and bsearch(). */
int extension_compare(const void *a, const void *b);

struct extensions {
    struct extension *items; /* in the order of extension_compare(), each student once */
    size_t n, capacity;
};

/* Students who work together: what one of them hands in is all theirs. */
struct team_member {
    char *student; /* as results name them */
    char *team;
};

/* By student; for qsort() and bsearch(). */
int team_member_compare(const void *a, const void *b);

struct teams {
    struct team_member *items; /* in the order of team_member_compare(), each student once */
    size_t n, capacity;
};

struct settling {
    const struct assignment *assignment; /* NULL: the exercises' own points, no dates */
    const struct students *roster;       /* NULL: those who handed in */
    const struct overrides *overrides;   /* or NULL */
    const struct extensions *extensions; /* or NULL */
    const struct teams *teams;           /* or NULL; they must live as long as the results */
    bool is_complete;                    /* all work is graded: work that is not there is missing */
};

/* Says again whose the results are, which are all of a class: see class_calls_settle(). No result
 * is borrowed. ERR_MEMORY. */
bool results_call_by(struct results *results, const struct students *roster,
                     const struct who_rows *who, struct error *reterr);

/* Makes missing work unclear, which does not count as 0, if it may be there: in a work of which it
 * is not clear whose it is, or in a folder that may not be read. ERR_MEMORY. */
bool results_doubt_missing(struct results *results, struct error *reterr);

/* Gives each student the works of the team, sets the points of all results, marks duplicates, and
 * adds a result "missing" for each exercise of the assignment (or, without one, each that anybody
 * handed in) for which a student has no result. With neither a roster nor an assignment nothing is
 * missing. results->students becomes the roster. ERR_MEMORY. */
bool results_settle(struct results *results, const struct settling *settling, struct error *reterr);

#endif
