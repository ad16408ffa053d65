/* A term: several assignments in one gradebook. docs/instructors.md has the keys of term.yaml. */
#ifndef ATTN_ASSIGNMENT_TERM_H
#define ATTN_ASSIGNMENT_TERM_H

#include "base/arena.h"
#include "exercise/exercises.h"
#include "report/results.h"

/* One assignment of the term. The paths are as the program opens them. */
struct term_part {
    char *name;                           /* the head of its column */
    char *results, *rules;                /* paths: the json report, and its assignment.yaml */
    char *overrides, *extensions, *teams; /* paths, or NULL */
    double points;                        /* what it is worth; 0: the assignment's own points */
    unsigned line;
};

struct term {
    char *title; /* or NULL */
    struct term_part *parts;
    unsigned n_parts;
    unsigned best;       /* how many count for each student, those with the largest shares of their
                          * points; 0: all */
    unsigned grace_days; /* that each student has for the whole term */
    char *path;          /* of the file, for messages */
    struct arena arena;
};

/* Reads the file; paths in it begin at its folder. ERR_FILE; ERR_SYNTAX "FILE:LINE: KEY: ...". */
bool term_load(const char *path, struct term *ret, struct error *reterr);
void term_release(struct term *term);

/* Settles every part by its own rules and puts them together: *ret has one result for each student
 * and part, whose exercise is the part's name and whose points are the sum over its exercises.
 *
 * A student who is late spends grace days: of the part that was due first, as few as bring the most
 * points, then of the next one. roster: NULL takes those of the reports. *ret_n_unclear is the
 * number of works of which it is not clear whose they are; they are nobody's. ERR_FILE, ERR_SYNTAX,
 * ERR_MEMORY. */
bool term_settle(const struct term *term, const struct students *roster,
                 const struct exercises *exercises, struct results *ret, size_t *ret_n_unclear,
                 struct error *reterr);

#endif
