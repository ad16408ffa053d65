/* The results of a run: those of a class, or of one person. */
#ifndef ATTN_REPORT_RESULTS_H
#define ATTN_REPORT_RESULTS_H

#include "report/class_facts_internal.h"
#include "report/parts_internal.h"
#include "report/student.h"
#include "result/result.h"

/* A run's results, in the order of the names. */
struct results {
    uint64_t seed;
    char *title;         /* of the assignment, made safe; NULL without an assignment */
    struct text sandbox; /* the layers in force, one a line; and missing ones, one a line that
                          * begins with RESULTS_REDUCED or RESULTS_WEAK */
    struct result *items;
    size_t n, capacity;
    struct students students;        /* the class list, if there is one */
    struct exercise_order exercises; /* those of the assignment or of the catalogue; or empty */
    struct likenesses similar;       /* works that look alike, if they were looked for */
    struct parts parts;              /* the parts of the class that the results belong to */
    bool is_anonymous;  /* a report must hold nothing else that shows who somebody is */
    bool is_unfinished; /* the run is not over, or was ended early */
};

#define RESULTS_REDUCED "reduced isolation"

#define RESULTS_WEAK "weak isolation"

enum {
    RESULTS_MAX_SEED_BITS = 53
}; /* bits of an integer that JSON's numbers keep exactly everywhere */

void results_release(struct results *results);

/* Replaces the title by a copy, made safe; "" removes it. ERR_MEMORY. */
bool results_entitle(struct results *results, const char *title, struct error *reterr);

/* Inserts a result as element i, and takes ownership of it; *result is empty afterwards. */
bool results_insert(struct results *results, size_t i, struct result *result, struct error *reterr);

enum duplicates {
    DUPLICATES_BY_STUDENT = 1 << 0, /* else all results are one person's */
    DUPLICATES_KEEP_LAST = 1 << 1,  /* the last work handed in counts, else the best */
};

/* Lets one result count for each exercise of a student: by the rule, of enum duplicates, the last
 * one or the one with the most points; among equals one that could not be graded, so that it does
 * not pass for settled, then the first in the order. All others are its duplicates. Results for no
 * exercise are ignored. ERR_MEMORY. */
bool results_mark_duplicates(struct results *results, unsigned rule, struct error *reterr);

/* "full", "reduced" or "weak". */
const char *results_isolation(const struct results *results);

/* By file, then by exercise, as bytes; missing work, which has no file, and a team's work as the
 * others' who did not hand it in, then by student. */
int result_compare(const void *a, const void *b);

#endif
